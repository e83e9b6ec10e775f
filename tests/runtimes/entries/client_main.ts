/** Runs the client's cases on Deno, Node and Bun: `client_main.ts <base URL>`. */
import { argv } from "node:process";
import { runClientCases } from "../client_cases.ts";

console.log(JSON.stringify(await runClientCases(argv[2] ?? "")));
