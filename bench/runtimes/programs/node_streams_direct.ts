/** Streams by hand on `node:http`, as slowly as the client reads. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Event, makeBytes, makeEvents } from "./streams.ts";

export const server: Server = createServer(answer);

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url === "/events") {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const { data } of makeEvents()) {
      if (!response.write(`data: ${JSON.stringify(Event.parse(data))}\n\n`)) await once(response, "drain");
    }
    response.end();
  } else if (request.url === "/download") {
    response.writeHead(200, { "content-type": "application/octet-stream" });
    for await (const chunk of makeBytes()) if (!response.write(chunk)) await once(response, "drain");
    response.end();
  } else {
    let length = 0;
    for await (const chunk of request) length += chunk.length;
    response.end(String(length));
  }
}
