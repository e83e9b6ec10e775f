/** A mock generates the same values in every runtime. */
import { codec, defineContract, request, response, route } from "@scope/api";
import { mockContract } from "@scope/api/mock";
import { type } from "arktype";
import type { Case } from "../case.ts";

const User = type({
  id: "string",
  name: "string",
  "email?": "string.email",
  state: "'active' | 'gone'",
  joined: "string.date.iso",
  code: /^[A-Z]{2}\d{3}$/,
  score: "0 <= number <= 1",
  tags: "string[] <= 3",
});
const Meeting = codec(
  type({ at: "string.date.iso", title: "string" }),
  type({ at: "Date", title: "string" }),
  {
    decode: ({ at, title }) => ({ at: new Date(at), title }),
    encode: ({ at, title }) => ({ at: at.toISOString(), title }),
  },
);
const contract = defineContract({
  routes: {
    list: route.get("/users", { responses: { 200: response.json(User.array()) } }),
    byId: route.get("/users/:id", { responses: { 200: response.json(User), 404: response.problem() } }),
    meet: route.post("/meetings", { body: request.json(Meeting), responses: { 201: response.json(Meeting) } }),
    events: route.get("/events", { responses: { 200: response.sse(type({ word: "string", n: "number.integer" })) } }),
    text: route.get("/text", { responses: { 200: response.text() } }),
  },
});

/** The responses to a list of requests, as text. */
async function ask(): Promise<readonly string[]> {
  const mock = mockContract(contract, { seed: 7 });
  const at = JSON.stringify({ at: "2026-01-02T03:04:05Z", title: "é😀" });
  const questions: [path: string, init?: RequestInit][] = [
    ["/users"],
    ["/users/42"],
    ["/users/42", { headers: { prefer: "code=404" } }],
    ["/meetings", { method: "POST", body: at, headers: { "content-type": "application/json" } }],
    ["/events"],
    ["/text"],
  ];
  const answers = await Promise.all(
    questions.map(([path, init]) => mock(new Request(`http://localhost${path}`, init))),
  );
  return await Promise.all(answers.map((answer) => answer.text()));
}

export const mocks: readonly Case[] = [
  {
    name: "the answers that follow from a seed",
    run: () => ask(),
    gives: [
      '[{"code":"QB247","id":"6606","joined":"2023-06-20T10:16:12Z","name":"Donald Knuth","score":1,"state":"gone","tags":["gamma","music","news"],"email":"edsger@example.com"},{"code":"KD991","id":"549","joined":"2016-11-07T11:08:39Z","name":"Barbara Liskov","score":0.625,"state":"active","tags":["work","beta","home"],"email":"alan@example.com"},{"code":"LA832","id":"4186","joined":"2027-12-22T07:57:52Z","name":"Alan Turing","score":0.1875,"state":"active","tags":["books","delta","music"],"email":"edsger@example.com"}]',
      '{"code":"FE311","id":"42","joined":"2025-12-20T19:36:02Z","name":"Dennis Ritchie","score":0.25,"state":"gone","tags":["travel","beta","music"],"email":"alan@example.com"}',
      '{"type":"about:blank","title":"Not Found","status":404}',
      '{"at":"2026-10-16T06:18:00.000Z","title":"Review the draft"}',
      'id: 1\ndata: {"n":840,"word":"bridge"}\n\nid: 2\ndata: {"n":335,"word":"garden"}\n\nid: 3\ndata: {"n":985,"word":"apple"}\n\n',
      "It works as it should.",
    ],
  },
];
