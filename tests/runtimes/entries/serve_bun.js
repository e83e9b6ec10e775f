// Serves on Bun, on a port that is free, and prints the URL.
import { handler } from "../server.ts";

const websocket = { message: (socket, text) => void socket.send(text) };
const server = Bun.serve({ fetch: handler, hostname: "127.0.0.1", port: 0, websocket });
console.log(`http://127.0.0.1:${server.port}`);
