/**
 * For any promise that the user's code returns, in any place: a thenable counts as a promise, the handler never
 * rejects, and every rejection is handled.
 */
import { defineContract, request, response, type Responses, route, type Schema } from "@scope/api";
import { createFetchHandler, type ErrorReport } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { tries } from "../support/tries.ts";
import { type End, failures, makes } from "./promises.ts";
import { rejectionsOf, settled } from "../support/rejections.ts";

/** The places where the user's code may return a promise. */
const places = [
  ...["contextInput", "context", "params", "query", "headers", "body"],
  ...["outer middleware", "inner middleware", "handler", "output headers", "item", "next", "return", "onError"],
] as const;
type Place = (typeof places)[number];
type Act = (place: Place, value: unknown) => unknown;

const kinds = ["ndjson", "sse"] as const;
type Kind = (typeof kinds)[number];

/** One route on which every place acts as is said; sends two items. */
function mount(kind: Kind, act: Act): { handler: ReturnType<typeof createFetchHandler>; heard: ErrorReport[] } {
  const heard: ErrorReport[] = [];
  const schema = (place: Place): Schema<never, never> => ({
    "~standard": { version: 1, vendor: "test", validate: (value) => act(place, { value }) as never },
  });
  const responses: Responses = {
    200: response[kind](schema("item"), { headers: schema("output headers") } as never),
  };
  const it = route.post("/:id", {
    params: schema("params"),
    query: schema("query"),
    headers: schema("headers"),
    body: request.json(schema("body")),
    responses,
  } as never);
  const server = defineServer(defineContract({ routes: { it } } as never), {
    context: (({ added }: { added?: string }) => act("context", { added })) as never,
  } as never)
    .use((({ next }: { next: () => unknown }) => act("outer middleware", next())) as never)
    .use((async ({ next }: { next: () => unknown }) => await act("inner middleware", await next())) as never);
  const produce = (context: { added?: string }): AsyncIterable<unknown> => {
    let left = 2;
    return {
      [Symbol.asyncIterator]: () => ({
        next: () => {
          const value = kind === "sse" ? { data: context.added } : context.added;
          return act("next", left-- > 0 ? { done: false, value } : { done: true }) as Promise<never>;
        },
        return: () => act("return", { done: true }) as Promise<never>,
      }),
    };
  };
  const implementation = server.implement({
    it: ({ context }: { context: { added?: string } }) => act("handler", { status: 200, body: produce(context) }),
  } as never);
  const handler = createFetchHandler(implementation as never, {
    contextInput: () => act("contextInput", { added: "added" }),
    onError: (report: ErrorReport) => {
      heard.push(report);
      return act("onError", undefined);
    },
  } as never) as ReturnType<typeof createFetchHandler>;
  return { handler, heard };
}

function ask(): Request {
  return new Request("http://localhost/1", {
    method: "POST",
    body: "{}",
    headers: { "content-type": "application/json" },
  });
}

const texts = {
  ndjson: '"added"\n"added"\n',
  sse: 'data: "added"\n\ndata: "added"\n\n',
};

Deno.test("createFetchHandler() awaits any thenable like a promise, wherever the user's code returns one", async () => {
  const unhandled = await rejectionsOf(async () => {
    for (const kind of kinds) {
      for (const [name, make] of Object.entries(makes)) {
        for (const place of places) {
          const { handler, heard } = mount(kind, (at, value) => at === place ? make("gives", value) : value);
          const answer = await handler(ask());
          assertEquals(
            [answer.status, await answer.text().catch(String), heard.map(({ error }) => String(error))],
            [200, texts[kind], []],
            `${place}: ${name}`,
          );
        }
      }
    }
  });
  assertEquals(unhandled, []);
});

interface Plan {
  readonly kind: Kind;
  readonly bad: Readonly<Partial<Record<Place, { readonly name: string; readonly end: End | "is hostile" }>>>;
  readonly leaves: boolean;
}

const returned = fc.oneof(
  {
    arbitrary: fc.record({ name: fc.constantFrom(...Object.keys(makes)), end: fc.constantFrom<End>("gives", "fails") }),
    weight: 2,
  },
  fc.record({ name: fc.constantFrom(...Object.keys(failures)), end: fc.constant("is hostile" as const) }),
);
const plans: fc.Arbitrary<Plan> = fc.record({
  kind: fc.constantFrom(...kinds),
  bad: fc.record(Object.fromEntries(places.map((place) => [place, returned])) as never, { requiredKeys: [] }),
  leaves: fc.boolean(),
});

// proves promises | No promise from your code is left unhandled
Deno.test("createFetchHandler() never rejects and drops no promise, whatever the user's code returns", async () => {
  const unhandled = await rejectionsOf(async () => {
    await fc.assert(fc.asyncProperty(plans, checkPlan), tries(400));
  });
  assertEquals(unhandled, []);
});

Deno.test("createFetchHandler() never rejects and drops no promise, whatever a single place returns", async () => {
  const unhandled = await rejectionsOf(async () => {
    for (const place of places) {
      const each = [
        ...Object.keys(makes).map((name) => ({ name, end: "fails" as const })),
        ...Object.keys(failures).map((name) => ({ name, end: "is hostile" as const })),
      ];
      for (const bad of each) {
        for (const leaves of [false, true]) {
          // a stream that fails besides, so that its hook and its closing have a part in it
          const broken = place === "onError" ? { next: { name: "a promise", end: "fails" as const } } : {};
          await checkPlan({ kind: "ndjson", bad: { ...broken, [place]: bad }, leaves });
        }
      }
    }
  });
  assertEquals(unhandled, []);
});

async function checkPlan({ kind, bad, leaves }: Plan): Promise<void> {
  const { handler, heard } = mount(kind, (place, value) => {
    const given = bad[place];
    if (!given) return value;
    return given.end === "is hostile" ? failures[given.name]!() : makes[given.name]!(given.end, value);
  });
  const answer = await handler(ask());
  assert([200, 400, 500].includes(answer.status), String(answer.status));
  if (leaves) await answer.body!.cancel();
  else await answer.text().catch(() => {});
  await settled();
  assert(heard.length <= 1);
}
