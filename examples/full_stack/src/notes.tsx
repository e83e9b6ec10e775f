import { mutationOptions, queryOptions } from "@scope/api/tanstack-query";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ChangeEvent, type FormEvent, type ReactNode, useEffect, useState } from "react";
import { client, followChanges } from "./api.ts";
import { usePeople } from "./people.tsx";
import { uploadPhoto } from "./upload.ts";

/** The notes, which follow the changes of everyone. */
export function Notes({ name }: { name: string }): ReactNode {
  const queries = useQueryClient();
  const notes = useQuery(queryOptions(client.notes.list));
  const create = useMutation(mutationOptions(client.notes.create));
  const [people, tellOthers] = usePeople();
  const end = useMutation({
    ...mutationOptions(client.session.end),
    onSuccess: () => queries.resetQueries(),
  });

  useEffect(() => {
    const controller = new AbortController();
    followChanges(controller.signal).catch((error) => controller.signal.aborted || console.error(error));
    return () => controller.abort();
  }, []);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    create.mutate({
      body: { text: String(new FormData(event.currentTarget).get("text")) },
    });
    event.currentTarget.reset();
    tellOthers(false);
  };
  return (
    <main>
      <p>
        {name} <button type="button" onClick={() => end.mutate()}>Sign out</button>
      </p>
      {people}
      <form onSubmit={submit} onChange={() => tellOthers(true)}>
        <input name="text" aria-label="Text" required maxLength={1_000} /> <button type="submit">Add</button>
      </form>
      <ul>
        {notes.data?.map(({ id, author, text, hasPhoto }) => (
          <li key={id}>
            <span>{author}: {text}</span>
            {hasPhoto ? <img alt="" src={`/api/notes/${id}/photo`} height="60" /> : <Photo id={id} />}
          </li>
        ))}
      </ul>
    </main>
  );
}

/** Chooses a photo, and shows how much of it has been sent. */
function Photo({ id }: { id: string }): ReactNode {
  const [part, setPart] = useState<number>();
  const [error, setError] = useState("");
  const choose = async (
    { target: { files } }: ChangeEvent<HTMLInputElement>,
  ) => {
    const [photo] = files ?? [];
    if (!photo) return;
    setPart(0);
    await uploadPhoto(id, photo, setPart).catch((error: Error) => setError(error.message));
    setPart(undefined);
  };
  return (
    <>
      <input
        type="file"
        accept="image/png"
        aria-label="Photo"
        onChange={choose}
      />
      {part !== undefined && <progress value={part} />}
      {error && <p role="alert">{error}</p>}
    </>
  );
}
