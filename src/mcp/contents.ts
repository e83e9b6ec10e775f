/** What a model sends and receives of each representation. */
import { type RequestBody, type RequestKind } from "../contract/request.ts";
import { type ResponseDeclaration, type ResponseKind } from "../contract/response.ts";
import { type UnfitWords } from "./types.ts";

/** What a model gets of one representation. */
interface ModelContent {
  /** Whether it is a JSON value; else it is text, or nothing. */
  readonly isJson?: boolean;
  /** What it is in words, if it is not for a model. */
  readonly unfit?: string;
}

/** One row for each representation. Types have the same words for those that they know. */
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

/** The row of a representation, or of the one whose structure it has. */
export function contentOf({ kind, representation: { structure } }: RequestBody | ResponseDeclaration): ModelContent {
  return contents[structure ?? kind];
}
