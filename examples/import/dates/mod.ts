/** The contract. Imports never change this file: write here what differs from the document. */
export { baseUrl, contract } from "./contract.ts";
