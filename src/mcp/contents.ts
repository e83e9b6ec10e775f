/** What a model sends and receives in each representation. */
import { type RequestBody, type RequestKind } from "../contract/request.ts";
import { type ResponseDeclaration, type ResponseKind } from "../contract/response.ts";
import { type UnfitWords } from "./types.ts";

/** How a model sees one representation. */
interface ModelContent {
  /** Whether the content is a JSON value. Otherwise it is text, or empty. */
  readonly isJson?: boolean;
  /** The name of the content for messages, if a model cannot use it. */
  readonly unfit?: string;
}

/** One row per representation. The texts are the same as in the types, as far as types know them. */
const contents:
  & Readonly<Record<RequestKind | ResponseKind, ModelContent>>
  & { readonly [Kind in keyof UnfitWords]: { readonly unfit: UnfitWords[Kind] } } = {
    json: { isJson: true },
    problem: { isJson: true },
    text: {},
    form: {},
    empty: {},
    bytes: { unfit: "bytes" },
    formData: { unfit: "form data, which may have files" },
    stream: { unfit: "a stream of bytes" },
    ndjson: { unfit: "a stream of items" },
    sse: { unfit: "a stream of events" },
    raw: { unfit: "a raw response" },
    as: { unfit: "a representation without the structure of JSON" },
  };

/** Returns the row of a representation, or of the built-in one whose structure it shares. */
export function contentOf({ kind, representation: { structure } }: RequestBody | ResponseDeclaration): ModelContent {
  return contents[structure ?? kind];
}
