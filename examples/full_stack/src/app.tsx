import { isErrorOf } from "@scope/api/client";
import { mutationOptions, queryKey, queryOptions } from "@scope/api/tanstack-query";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { FormEvent, ReactNode } from "react";
import { client } from "./api.ts";
import { Notes } from "./notes.tsx";

/** Shows the board to who has signed in. */
export function App(): ReactNode {
  const session = useQuery(queryOptions(client.session.find));
  if (session.isPending) return <p>Loading…</p>;
  if (session.error) {
    return session.error.result?.status === 401 ? <SignIn /> : <p role="alert">{session.error.message}</p>;
  }
  return <Notes name={session.data.name} />;
}

function SignIn(): ReactNode {
  const queries = useQueryClient();
  const start = useMutation({
    ...mutationOptions(client.session.start),
    onSuccess: () => queries.invalidateQueries({ queryKey: queryKey(client.session.find) }),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    start.mutate({
      body: {
        name: String(fields.get("name")),
        password: String(fields.get("password")),
      },
    });
  };
  return (
    <form onSubmit={submit}>
      <label>
        Name <input name="name" required />
      </label>
      <label>
        Password <input name="password" type="password" required />
      </label>
      <button type="submit" disabled={start.isPending}>Sign in</button>
      {start.error && <p role="alert">{messageOf(start.error)}</p>}
    </form>
  );
}

/** What a person reads about an error. */
function messageOf(error: Error): string {
  return isErrorOf(client.session.start, error) && error.result?.status === 403
    ? error.result.body.detail ?? "Refused"
    : error.message;
}
