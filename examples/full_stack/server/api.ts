/** The handlers of the API. */
import { type ContextInput, defineServer, type Implementation, keepAlive } from "@scope/api/server";
import { contract } from "../contract.ts";
import { Board, type Note } from "./board.ts";
import { People } from "./people.ts";
import { endSession, startSession, verifySession } from "./sessions.ts";

const server = defineServer(contract, { security: [verifySession] });

/** Creates the API of one board. */
export function createApi(board = new Board(), people = new People()): Implementation<ContextInput> {
  return server.implement({
    session: {
      start: ({ body: { name, password }, response }) =>
        password === "secret" // in production: scrypt or Argon2, and a limit of attempts
          ? response(204, undefined, { "set-cookie": startSession(name) })
          : response(403, { detail: "Wrong name or password" }),
      find: ({ caller, response }) => response(200, { name: caller.name }),
      end: ({ caller, response }) => response(204, undefined, { "set-cookie": endSession(caller.id) }),
    },
    notes: {
      list: ({ response }) => response(200, board.list().map(toWire)),
      create: ({ body: { text }, caller, response }) => {
        const note = { id: crypto.randomUUID(), author: caller.name, text };
        board.save(note);
        return response(201, toWire(note));
      },
      photo: ({ params: { id }, response }) => {
        const photo = board.find(id)?.photo;
        return photo ? response(200, photo) : response(404, { message: `Note ${id} has no photo` });
      },
      setPhoto: ({ params: { id }, body, response }) => {
        const note = board.find(id);
        if (!note) return response(404, { message: `There is no note ${id}` });
        board.save({ ...note, photo: body });
        return response(204);
      },
    },
    changes: ({ response }) => response(200, keepAlive(changes(board))),
    people: ({ caller, response }) => response(101, (socket) => people.join(caller.name, socket)),
  });
}

function toWire({ id, author, text, photo }: Note): Omit<Note, "photo"> & { readonly hasPhoto: boolean } {
  return { id, author, text, hasPhoto: photo !== undefined };
}

async function* changes(board: Board): AsyncGenerator<{ readonly data: { readonly count: number } }> {
  for await (const count of board.watch()) yield { data: { count } };
}
