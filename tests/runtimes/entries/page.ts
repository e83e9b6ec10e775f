/** The script of a page: it makes the client's cases callable from outside. */
import { runClientCases } from "../client_cases.ts";

Object.assign(globalThis, { runClientCases });
