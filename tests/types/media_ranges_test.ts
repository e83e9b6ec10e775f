import { defineContract, type MediaTypes, request, response, route } from "@scope/api";
import { createClient } from "@scope/api/client";
import { defineServer, type HandlersOf, type ResponseHeaders } from "@scope/api/server";
import { assertType, type IsExact } from "@std/testing/types";
import { type } from "arktype";

const ok = { 200: response.empty() };
const anyString = String("image/*");
const anyList: readonly string[] = ["image/png"];
const any: MediaTypes = anyList;
const contract = defineContract({
  routes: {
    image: route.post("/image", { body: request.bytes({ contentType: "image/*" }), responses: ok }),
    list: route.post("/list", { body: request.text({ contentType: ["text/csv", "text/html"] }), responses: ok }),
    checked: route.post("/checked", {
      body: request.text(type("string.integer.parse"), { contentType: ["text/*"] }),
      responses: ok,
    }),
    optional: route.post("/optional", {
      body: request.stream({ contentType: "*/*", optional: true }),
      responses: ok,
    }),
    fixed: route.post("/fixed", { body: request.bytes({ contentType: "image/png" }), responses: ok }),
    only: route.post("/only", { body: request.bytes({ contentType: ["image/png"] }), responses: ok }),
    string: route.post("/string", { body: request.bytes({ contentType: anyString }), responses: ok }),
    strings: route.post("/strings", { body: request.bytes({ contentType: anyList }), responses: ok }),
    any: route.post("/any", { body: request.stream({ contentType: any }), responses: ok }),
    download: route.get("/download", {
      responses: {
        200: response.bytes({ contentType: "image/*" }),
        201: response.stream({ contentType: ["image/png", "image/gif"] }),
        202: response.text(type("'a' | 'b'"), { contentType: ["text/*"] }),
        203: response.bytes({ contentType: "image/*", headers: type({ "content-type": "'image/png'" }) }),
        206: response.bytes({ contentType: ["image/png"] }),
        207: response.bytes({ contentType: anyList }),
        208: response.text({ contentType: "text/csv" }),
      },
    }),
  },
});
const server = defineServer(contract);
const client = createClient(contract, { baseUrl: "https://a.example" });

type Handlers = HandlersOf<typeof server>;
type Seen<Key extends keyof Handlers> = Parameters<Handlers[Key]>[0];
type TypeSeen<Key extends keyof Handlers> = Seen<Key> extends { readonly contentType: infer Type } ? Type : "none";

Deno.test("a handler receives the content type if several are allowed", () => {
  assertType<IsExact<TypeSeen<"image">, string>>(true);
  assertType<IsExact<TypeSeen<"list">, string>>(true);
  assertType<IsExact<TypeSeen<"checked">, string>>(true);
  assertType<IsExact<TypeSeen<"optional">, string | undefined>>(true);
  for (const key of ["fixed", "only", "string", "strings", "any"] as const) {
    assertType<IsExact<TypeSeen<typeof key>, "none">>(true);
  }
});

Deno.test("a body of a range has the same types as any other", () => {
  assertType<IsExact<Seen<"image">["body"], Seen<"fixed">["body"]>>(true);
  assertType<IsExact<Seen<"list">["body"], string>>(true);
  assertType<IsExact<Seen<"checked">["body"], number>>(true);
  assertType<IsExact<Parameters<typeof client.image>[0], Parameters<typeof client.fixed>[0]>>(true);
  assertType<IsExact<Parameters<typeof client.list>[0]["body"], string>>(true);
});

type Headers<Status> = Extract<Awaited<ReturnType<Handlers["download"]>>, { readonly status: Status }>["headers"];

Deno.test("a result must state its content type if the type allows several", () => {
  for (const status of [200, 201, 202] as const) {
    assertType<IsExact<Headers<typeof status>["content-type"], string>>(true);
    assertType<IsExact<Headers<typeof status>["x-a"], string | readonly string[] | undefined>>(true);
  }
  assertType<IsExact<Headers<203>, { "content-type": "image/png" }>>(true);
  assertType<IsExact<Headers<206 | 207 | 208>, ResponseHeaders | undefined>>(true);
});

Deno.test("a client receives native headers for a range, or the declared ones", () => {
  type Result<Status> = Extract<Awaited<ReturnType<typeof client.download>>, { readonly status: Status }>;
  assertType<IsExact<Result<200>["headers"], globalThis.Headers>>(true);
  assertType<IsExact<Result<200>["body"], Uint8Array<ArrayBuffer>>>(true);
  assertType<IsExact<Result<202>["body"], "a" | "b">>(true);
  assertType<IsExact<Result<203>["headers"], { readonly "content-type": "image/png" }>>(true);
});
