/** What servers run of each representation: one row for each, in each direction. */
import { type Awaitable } from "../awaitable.ts";
import { type RequestKind } from "../contract/request.ts";
import { type ResponseKind } from "../contract/response.ts";
import { encodeBytes } from "../representation/bytes.ts";
import { customBodyOf, decodeCustom } from "../representation/custom.ts";
import { decodeForm } from "../representation/form.ts";
import { decodeFormData, readFormData } from "../representation/form_data.ts";
import { decodeJson } from "../representation/json.ts";
import { formatNdjsonItem } from "../representation/ndjson.ts";
import { encodeProblem } from "../representation/problem.ts";
import { type RequestRepresentation } from "../representation/representation.ts";
import { formatSseItem } from "../representation/sse.ts";
import { decodeText, encodeText } from "../representation/text.ts";
import { encodeJson } from "../wire/encode_json.ts";
import { completeProblem } from "../wire/problem.ts";
import { checkChunk } from "../wire/pull_stream.ts";
import { planRaw } from "./encode_raw.ts";
import { planItems } from "./encode_stream.ts";
import { planEmpty, planWhole } from "./encode_whole.ts";
import { type EncodeResult, type PlanResult, type ResultPlace } from "./plan_result.ts";

/** What content is decoded with. */
export interface ContentFacts {
  /** The media type that was sent, with its parameters. */
  readonly contentType: string;
  /** Whether a schema describes the value. */
  readonly isDescribed: boolean;
  /** The representation that is declared. */
  readonly representation: RequestRepresentation;
}

/** How the content of a request is decoded. */
export interface ContentDecoder {
  /** Decodes whole content; throws if it is malformed. */
  readonly decode: (content: Uint8Array<ArrayBuffer>, facts: ContentFacts) => Awaitable<unknown>;
  /** Reads and decodes a body without a limit, if the runtime does that in less time. */
  readonly readByRuntime?: (request: Request) => Promise<unknown>;
}

/** How the body of a request is decoded; `undefined` for a body that the handler reads as it arrives. */
export const contentDecoders: Readonly<Record<RequestKind, ContentDecoder | undefined>> = {
  json: { decode: decodeJson, readByRuntime: (request) => request.json() },
  text: { decode: decodeText },
  bytes: { decode: (content) => content },
  form: { decode: decodeForm },
  formData: {
    decode: (content, { contentType, isDescribed }) =>
      isDescribed ? decodeFormData(content, contentType) : readFormData(content, contentType),
  },
  stream: undefined,
  as: { decode: (content, { representation }) => decodeCustom(content, representation) },
};

/** How the results of a response are sent. */
export const resultPlans: Readonly<Record<ResponseKind, PlanResult>> = {
  json: /* @__PURE__ */ planWhole(encodeJson),
  text: /* @__PURE__ */ planWhole(encodeText),
  bytes: /* @__PURE__ */ planWhole(encodeBytes),
  empty: planEmpty,
  problem: planProblem,
  stream: /* @__PURE__ */ planItems(checkChunk),
  ndjson: /* @__PURE__ */ planItems(formatNdjsonItem),
  sse: /* @__PURE__ */ planItems(formatSseItem),
  raw: planRaw,
  as: (place) => planWhole(customBodyOf(place.declared.representation).encode)(place),
};

/** What sends a problem document. A schema states all of its members; without one, some follow from the status. */
function planProblem(place: ResultPlace): EncodeResult {
  const { declared: { schema }, status } = place;
  return planWhole(schema ? encodeProblem : (value) => encodeProblem(completeProblem(value, status)))(place);
}
