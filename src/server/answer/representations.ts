/** How servers decode and encode each representation: one row for each, in each direction. */
import type { Awaitable } from "../../awaitable.ts";
import type { RequestKind } from "../../contract/request.ts";
import type { ResponseKind } from "../../contract/response.ts";
import { encodeBytes } from "../../representation/bytes.ts";
import { customBodyOf, decodeCustom, isCustomDeeperThan } from "../../representation/custom.ts";
import { decodeForm } from "../../representation/form.ts";
import { decodeFormData, readFormData } from "../../representation/form_data.ts";
import { decodeJson } from "../../representation/json.ts";
import { formatNdjsonItem } from "../../representation/ndjson.ts";
import { encodeProblem } from "../../representation/problem.ts";
import type { RequestRepresentation } from "../../representation/representation.ts";
import { formatSseItem } from "../../representation/sse.ts";
import { decodeText, encodeText } from "../../representation/text.ts";
import { encodeJson, isDeeperThan, parseJson } from "../../wire/json.ts";
import { completeProblem } from "../../wire/problem.ts";
import { checkChunk } from "../../wire/pull_stream.ts";
import {
  type EncodeResult,
  planEmpty,
  planItems,
  planRaw,
  type PlanResult,
  planWhole,
  type ResultPlace,
} from "./encode_result.ts";

/** The facts about content that decoders need. */
interface ContentFacts {
  /** The media type of the request, with its parameters. */
  readonly contentType: string;
  /** Whether a schema describes the value. */
  readonly isDescribed: boolean;
  readonly representation: RequestRepresentation;
}

/** How to decode the content of a request. */
export interface ContentDecoder {
  /** Decodes whole content. Throws if it is malformed. */
  readonly decode: (content: Uint8Array<ArrayBuffer>, facts: ContentFacts) => Awaitable<unknown>;
  /** Decodes whole content that the runtime has read as text, which it may do faster. */
  readonly decodeText?: (text: string) => unknown;
  /** Whether content is decoded as UTF-8. */
  readonly isText?: true;
  /** Whether handlers receive the bytes. */
  readonly isOfBytes?: true;
  /** Whether a decoded value has more levels than the maximum. Absent if values are not nested. */
  readonly isDeeperThan?: (maxDepth: number, value: unknown) => boolean;
}

/** The decoder of each representation. `undefined` for a body that the handler reads as it arrives. */
export const contentDecoders: Readonly<Record<RequestKind, ContentDecoder | undefined>> = {
  json: { decode: decodeJson, decodeText: parseJson, isText: true, isDeeperThan },
  text: { decode: decodeText, isText: true },
  bytes: { decode: (content) => content, isOfBytes: true },
  form: { decode: decodeForm, isText: true },
  formData: {
    decode: (content, { contentType, isDescribed }) =>
      isDescribed ? decodeFormData(content, contentType) : readFormData(content, contentType),
  },
  stream: undefined,
  as: {
    decode: (content, { representation }) => decodeCustom(content, representation),
    isDeeperThan: isCustomDeeperThan,
  },
};

/** How to send the results of each representation. */
export const resultPlans: Readonly<Record<ResponseKind, PlanResult>> = {
  json: /* @__PURE__ */ planWhole(encodeJson),
  text: /* @__PURE__ */ planWhole(encodeText),
  bytes: /* @__PURE__ */ planWhole(encodeBytes),
  empty: planEmpty,
  problem: planProblem,
  stream: /* @__PURE__ */ planItems(checkChunk),
  ndjson: /* @__PURE__ */ planItems(formatNdjsonItem, "\n"),
  sse: /* @__PURE__ */ planItems(formatSseItem, ":\n\n"),
  raw: planRaw,
  as: (place) => planWhole(customBodyOf(place.declared.representation).encode)(place),
};

/**
 * Plans how to send a problem document. With a schema, the result has all members. Without one, some have defaults that
 * follow from the status.
 */
function planProblem(place: ResultPlace): EncodeResult {
  const { declared: { schema }, status } = place;
  return planWhole(schema ? encodeProblem : (value) => encodeProblem(completeProblem(value, status)))(place);
}
