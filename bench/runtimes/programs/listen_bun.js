// Lets an Elysia app listen on a port that is free, and prints the URL.
import { argv } from "node:process";

const { app } = await import(argv[2]);
app.listen({ hostname: "127.0.0.1", port: 0 }, ({ port }) => console.log(`http://127.0.0.1:${port}`));
