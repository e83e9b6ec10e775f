// Lets the server of a program listen on a port that is free, and prints the URL.
import { argv } from "node:process";

const { server } = await import(argv[2]);
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
