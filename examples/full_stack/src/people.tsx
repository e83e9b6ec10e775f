import { connect, type ConnectionOf } from "@scope/api/connect";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { client, open } from "./api.ts";

/** Shows who has the board open, and returns a function that tells the others whether this person is writing. */
export function usePeople(): [shown: ReactNode, tellOthers: (isWriting: boolean) => void] {
  const [present, setPresent] = useState<string[]>([]);
  const connection = useRef<ConnectionOf<typeof client.people>>(undefined);

  useEffect(() => {
    const people = connect(client.people, {}, { open });
    connection.current = people;
    const read = async (): Promise<void> => {
      for await (const each of people) {
        setPresent(each.map(({ name, isWriting }) => isWriting ? `${name} is writing…` : name));
      }
    };
    read().catch(console.error);
    return () => people.close();
  }, []);

  const tellOthers = (isWriting: boolean): void => void connection.current?.send({ isWriting });
  const shown = <p aria-label="People">{present.join(", ")}</p>;
  return [shown, tellOthers];
}
