/** The contract. Imports never change this file: write here what differs from the document. */
export { contract } from "./contract.ts";
