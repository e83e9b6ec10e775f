/** Rooms on Workers: each is a Durable Object, whose connections share it. The Worker decides who may enter. */
import { defineContract, response, route } from "@scope/api";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { workersSockets } from "@scope/api/socket";
import { z } from "zod";

const contract = defineContract({
  routes: {
    room: route.get("/rooms/:room", {
      query: z.object({ name: z.string().min(1) }),
      responses: {
        101: response.socket({
          fromClient: z.object({ text: z.string().min(1) }),
          fromServer: z.object({ by: z.string(), text: z.string() }),
        }),
        404: response.json(z.object({ message: z.string() })),
      },
    }),
  },
});

/** A room, of which Workers create one for each name. */
export class Room {
  readonly #members = new Set<(said: { by: string; text: string }) => void>();
  readonly fetch: (request: Request) => Response | Promise<Response> = createFetchHandler(
    defineServer(contract).implement({
      room: ({ query, response }) =>
        response(101, async (socket) => {
          const hear = (said: { by: string; text: string }): void => void socket.send(said);
          this.#members.add(hear);
          try {
            for await (const { text } of socket) this.#members.forEach((each) => each({ by: query.name, text }));
          } finally {
            this.#members.delete(hear);
          }
        }),
    }),
    { sockets: workersSockets() },
  );
}

/** The rooms, as Workers pass them. */
interface Env {
  readonly ROOMS: {
    idFromName(name: string): unknown;
    get(id: unknown): { fetch(request: Request): Promise<Response> };
  };
}

const server = defineServer(contract, {
  context: ({ request, env }: { readonly request: Request; readonly env: Env }) => ({ request, rooms: env.ROOMS }),
});

export default {
  fetch: createFetchHandler(
    server.implement({
      room: async ({ params, context: { request, rooms }, response }) => {
        if (params.room !== "lobby") return response(404, { message: `No room ${params.room}` });
        return response(101, await rooms.get(rooms.idFromName(params.room)).fetch(request));
      },
    }),
    { sockets: workersSockets(), contextInput: (_request: Request, env: Env) => ({ env }) },
  ),
};
