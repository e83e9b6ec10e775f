/** A program whose calls editors show in few lines. The schema of a note has three members, and that of a body one. */
export const shortProgram = `
import { defineContract, response, route } from "@scope/api";
import { createClient } from "@scope/api/client";
import { mutationOptions, queryKey, queryOptions } from "@scope/api/tanstack-query";
import { z } from "zod";

const problem = response.problem();
const Note = z.object({ id: z.string(), text: z.string(), tags: z.array(z.string()) });
const params = z.object({ folder: z.string(), id: z.string() });
const body = z.object({ text: z.string() });
const contract = defineContract({
  responses: { 401: problem, 403: problem, 429: problem },
  routes: {
    other: route.get("/others", { responses: { 200: response.text() } }),
    read: route.get("/:folder/:id", { params, responses: { 404: problem, 200: response.json(Note) } }),
    remove: route.delete("/:folder/:id", { responses: { 412: problem, 204: response.empty() } }),
    create: route.post("/", { body, responses: { 201: response.json(Note) } }),
    change: route.patch("/:folder/:id", { params, body, responses: { 200: response.json(Note) } }),
  },
});
const client = createClient(contract, { baseUrl: "https://api.example.com" });
await client.other();
const reading = queryOptions(client.read, { params: { folder: "a", id: "1" } });
const changing = mutationOptions(client.change);
const removing = mutationOptions(client.remove);
const key = queryKey(client.read, { params: { folder: "a", id: "1" } });
await client.read({ params: { folder: "a", id: "1" } });
await client.remove({ params: { folder: "a", id: "1" } });
await client.create({ body: { text: "" } });
await client.change({ params: { folder: "a", id: "1" }, body: { text: "" } });
`;

/** The calls in the program. */
export const calls = ["read({", "remove({", "create({", "change({"] as const;

/** How many lines an editor shows at each place of the program. */
export const shortHovers: Readonly<Record<string, number>> = {
  "read({": 5,
  "remove({": 1,
  "create({": 7,
  "change({": 7,
  "reading =": 5,
  "changing =": 7,
  "removing =": 1,
  "key =": 5,
  "queryOptions(": 5,
  "queryKey(": 5,
};

/** Matches a call whose success is its first result. */
export const successFirst = /=> CallPromise<[\d |]+, ReceivedResponse<20[014], /;

/** How many lines a type takes in an editor, without the line that says where it was imported. */
export function linesOf(hover: string): number {
  return hover.split("\n").filter((line) => !line.startsWith("import ")).length;
}
