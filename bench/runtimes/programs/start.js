// Prints the milliseconds from the import of a program to its first response, with its body.
import { argv } from "node:process";

const start = performance.now();
const { default: program } = await import(argv[2]);
const response = await program.fetch(new Request("http://localhost/api/users/42"));
await response.text();
console.log(performance.now() - start);
