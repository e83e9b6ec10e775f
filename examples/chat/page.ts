/// <reference lib="dom" />
/**
 * The page. `deno bundle` bundles it as public/page.js, with the typed client. It inserts text as text, never as HTML.
 *
 * @module
 */
import { createClient } from "@scope/api/client";
import { connect } from "@scope/api/connect";
import { follow, retry } from "@scope/api/retry";
import type { RoomEvent } from "./codecs.ts";
import { contract } from "./contract.slim.ts";

const client = createClient(contract, { baseUrl: "/", around: retry() });

const join = find("#join", HTMLFormElement);
const say = find("#say", HTMLFormElement);
const text = find("#text", HTMLInputElement);
const messages = find("#messages", HTMLElement);
const status = find("#status", HTMLElement);

join.addEventListener("submit", (event) => {
  event.preventDefault();
  const name = find("#name", HTMLInputElement).value.trim();
  if (name !== "") enter(name).catch(tell);
});

async function enter(name: string): Promise<void> {
  document.body.classList.add("inside");
  text.focus();
  tellWhoTypes(name).catch(tell);
  say.addEventListener("submit", (event) => {
    event.preventDefault();
    send(name).catch(tell);
  });
  const events = follow(client.listen, { query: { name } }, {
    silence: 45_000,
    onConnect: () => status.textContent = "",
    onDisconnect: () => status.textContent = "Reconnecting…",
  });
  for await (const { data: event } of events) {
    if (event.type === "people") showPeople(event.names);
    else showMessage(event, name);
  }
}

async function send(author: string): Promise<void> {
  if (text.value.trim() === "") return;
  await client.say({ headers: { "idempotency-key": crypto.randomUUID() }, body: { author, text: text.value } });
  text.value = "";
  status.textContent = "";
}

function showMessage({ author, text, at }: Extract<RoomEvent, { type: "message" }>, name: string): void {
  const time = createElement("time", at.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" }));
  time.dateTime = at.toISOString();
  const message = createElement("li", "", createElement("b", author), time, createElement("p", text));
  message.classList.toggle("own", author === name);
  messages.append(message);
  message.scrollIntoView({ block: "end" });
}

function showPeople(names: readonly string[]): void {
  find("#people", HTMLElement).replaceChildren(...names.map((name) => createElement("li", name)));
}

/** Sends when this person types, and shows who else types. What cannot be sent at once is of no use later. */
async function tellWhoTypes(name: string): Promise<void> {
  const others = connect(client.typing, { query: { name } }, { maxQueued: 0 });
  text.addEventListener("input", () => void others.send({ isTyping: true }));
  for await (const { name } of others) showTyping(name);
}

let typing: ReturnType<typeof setTimeout> | undefined;

/** Shows for two seconds who types. */
function showTyping(name: string): void {
  status.textContent = `${name} is typing…`;
  clearTimeout(typing);
  typing = setTimeout(() => status.textContent = "", 2000);
}

function tell(error: unknown): void {
  status.textContent = error instanceof Error ? error.message : String(error);
}

function createElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  text: string,
  ...children: readonly Node[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  element.append(text, ...children);
  return element;
}

function find<Kind extends Element>(selector: string, kind: new () => Kind): Kind {
  const element = document.querySelector(selector);
  if (element instanceof kind) return element;
  throw new Error(`The page must contain ${selector}`);
}
