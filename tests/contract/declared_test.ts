/** The options of every declaring call: plain objects of known keys. */
import { codec, defineContract, request, response, route, router } from "@scope/api";
import { assert, assertFalse, assertThrows } from "@std/assert";
import { type } from "arktype";
import { assertRefused } from "../support/assert_refused.ts";

const responses = { 200: response.empty() };
const routes = { health: route.get("/health", { responses }) };
const functions = { decode: (text: string) => text, encode: (text: string) => text };
const text = type("string");

type Declare = (...given: readonly unknown[]) => unknown;

/** Every call that takes options, where they come `after` what, what is required of them, and the keys it knows. */
const declaring: readonly {
  readonly name: string;
  readonly after?: string;
  readonly declare: (options: never) => unknown;
  readonly required?: object;
  readonly allowed: string;
}[] = [
  {
    name: 'route.get() "/here"',
    declare: (options) => route.get("/here", options),
    required: { responses },
    allowed: "params, query, headers, responses, security, deprecated, docs",
  },
  {
    name: 'route.put() "/here"',
    declare: (options) => route.put("/here", options),
    required: { responses },
    allowed: "params, query, headers, body, responses, security, deprecated, docs",
  },
  {
    name: 'router() "/here"',
    declare: (options) => router("/here", options),
    required: { routes },
    allowed: "routes, responses, security, deprecated, docs",
  },
  {
    name: "the contract",
    declare: (options) => defineContract(options),
    required: { routes },
    allowed: "basePath, routes, responses, security, deprecated, docs",
  },
  {
    name: "docs of the contract",
    declare: (docs) => defineContract({ routes, docs }),
    allowed: "summary, description, tags, operationId",
  },
  {
    name: 'docs of router() "/here"',
    declare: (docs) => router("/here", { routes, docs }),
    allowed: "summary, description, tags, operationId",
  },
  {
    name: 'docs of route.get() "/here"',
    declare: (docs) => route.get("/here", { responses, docs }),
    allowed: "summary, description, tags, operationId",
  },
  {
    name: "a codec",
    declare: (options) => codec(text, text, options),
    required: functions,
    allowed: "decode, encode",
  },
  ...(["json", "text", "bytes"] as const).flatMap((kind) => {
    const [ofRequest, ofResponse] = [request[kind], response[kind]] as unknown as [Declare, Declare];
    const [forRequests, forResponses] = [
      "contentType, description, maxBytes, optional",
      "contentType, headers, description",
    ] as const;
    return [
      { name: `request.${kind}()`, declare: ofRequest, allowed: forRequests },
      {
        name: `request.${kind}()`,
        after: " after a schema",
        declare: (options: never) => ofRequest(text, options),
        allowed: forRequests,
      },
      { name: `response.${kind}()`, declare: ofResponse, allowed: forResponses },
      {
        name: `response.${kind}()`,
        after: " after a schema",
        declare: (options: never) => ofResponse(text, options),
        allowed: forResponses,
      },
    ];
  }),
  {
    name: "request.form()",
    after: " after a schema",
    declare: (options) => request.form(type({ text }), options),
    allowed: "contentType, description, maxBytes, optional",
  },
  { name: "request.formData()", declare: request.formData, allowed: "description, maxBytes, optional" },
  {
    name: "request.formData()",
    after: " after a schema",
    declare: (options) => request.formData(type({ text }), options),
    allowed: "description, maxBytes, optional",
  },
  { name: "request.stream()", declare: request.stream, allowed: "contentType, description, maxBytes, optional" },
  { name: "response.empty()", declare: response.empty, allowed: "headers, description" },
];

for (const { name, after = "", declare, required, allowed } of declaring) {
  Deno.test(`${name} refuses an unknown option${after} and suggests the nearest`, () => {
    const known = allowed.split(", ");
    for (const key of known) {
      const misspelt = `${key.slice(0, -2)}${key.at(-1)}`; // one letter too few
      const options = { ...required, [misspelt]: undefined } as never;
      assertRefused(() => declare(options), name, `"${misspelt}"`, `did you mean "${key}"?`, `(allowed: ${allowed})`);
    }
    const options = { ...required, middleware: undefined } as never;
    assertRefused(() => declare(options), name, 'unknown option "middleware"', `(allowed: ${allowed})`);
    const { message } = assertThrows(() => declare(options), TypeError);
    assertFalse(message.includes("did you mean"), message);
  });

  Deno.test(`${name} refuses options${after} that are not a plain object`, () => {
    assertRefused(() => declare(null as never), name, "null stands where an object belongs");
    assertRefused(() => declare([] as never), name, "an array stands where an object belongs");
    const takesSchema = /^(request|response)\./.test(name) && after === "";
    const text = takesSchema ? "no Standard Schema" : "type string stands where an object belongs";
    assertRefused(() => declare("options" as never), name, text);
    assertRefused(() => declare(new Map() as never), name, "a plain object belongs");
    assertRefused(() => declare({ __proto__: { ...required } } as never), name, '["__proto__"]');
  });

  Deno.test(`${name} accepts options${after} without a prototype`, () => {
    assert(declare(Object.assign(Object.create(null), required) as never));
  });
}

Deno.test("defineContract() suggests an option for another case and for letters swapped", () => {
  assertRefused(() => defineContract({ routes, basepath: "/api" } as never), 'did you mean "basePath"?');
  assertRefused(() => defineContract({ routes, basePaht: "/api" } as never), 'did you mean "basePath"?');
});

Deno.test("route.get() refuses an option called __proto__ or constructor", () => {
  assertRefused(() => route.get("/here", { responses, ["__proto__"]: {} } as never), 'unknown option "__proto__"');
  assertRefused(() => route.get("/here", { responses, constructor: {} } as never), 'unknown option "constructor"');
});

Deno.test("router() and defineContract() refuse routes that are not a plain object", () => {
  const refused: readonly (readonly [unknown, string])[] = [
    [null, "null stands where an object belongs"],
    [[routes.health], "an array stands where an object belongs"],
    [() => routes, "a value of type function stands where an object belongs"],
    ["routes", "a value of type string stands where an object belongs"],
    [new Map(Object.entries(routes)), "a plain object belongs"],
    [{ __proto__: routes.health }, '["__proto__"]'],
  ];
  for (const [given, state] of refused) {
    assertRefused(() => router("/here", { routes: given as never }), 'routes of router() "/here"', state);
    assertRefused(() => defineContract({ routes: given as never }), "routes of the contract", state);
  }
});
