// Serves on Node's own server, on a port that is free, and prints the URL.
import { createServer } from "node:http";
import { listener } from "./node_server.js";

const server = createServer(listener).listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
