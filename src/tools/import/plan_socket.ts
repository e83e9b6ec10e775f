/** Plans the connections of operations, which documents of this package describe by `x-websocket`. */
import { toOneLine } from "../../messages.ts";
import type { Direction } from "../openapi/definitions.ts";
import { type LocatedPart, memberOf, resolvePart } from "../openapi/operations.ts";
import { isPart, toList, toObject, toPart, toText } from "../openapi/part.ts";
import { isToken } from "../../wire/headers.ts";
import { mediaTypeEssence } from "../../wire/media_type.ts";
import { isJsonType, isTextType } from "./media_types.ts";
import { unknown } from "./model.ts";
import type { DocumentReader, MessagePlan, ResponsePlan } from "./plan.ts";
import { type Planned, toPlanned } from "./planned.ts";
import { contentsOf } from "./read_operation.ts";
import { isPlain } from "./text_model.ts";

/** The member of a response that describes connections. */
const member = "x-websocket";

/** Plans the response 101 of an operation. `undefined` if it does not describe connections of a GET. */
export function planImportedSocket(
  response: LocatedPart,
  method: string,
  reader: DocumentReader,
): Planned<ResponsePlan> | undefined {
  const described = memberOf(response, member);
  if (method !== "get" || !isPart(described.value)) return undefined;
  const socket = resolvePart(reader.source, described);
  const { closes, protocols, maxMessageBytes: most } = socket.part;
  const codes = Object.entries(toPart(closes));
  const named = codes.filter(([code, text]) => /^4\d{3}$/.test(code) && typeof text === "string");
  const offered = [...new Set(toList(protocols))].filter((name) =>
    typeof name === "string" && isToken(name) && !name.startsWith("bearer.")
  ) as string[]; // those that are texts
  const isLimit = typeof most === "number" && Number.isSafeInteger(most) && most > 0;
  const [fromClient, fromServer] = [
    planMessages(socket, "fromClient", "input", reader),
    planMessages(socket, "fromServer", "output", reader),
  ];
  const planned: ResponsePlan = {
    kind: "socket",
    contentType: undefined,
    model: unknown,
    headers: undefined,
    description: toText(response.part.description),
    socket: {
      fromClient: fromClient.planned,
      fromServer: fromServer.planned,
      closes: toObject(named) as Record<string, string>, // those that are texts
      protocols: offered.length === 0 ? undefined : offered,
      maxMessageBytes: isLimit ? most : undefined,
    },
  };
  const areOffered = protocols === undefined || offered.length === toList(protocols).length && offered.length > 0;
  return toPlanned(
    planned,
    ...codes.filter((each) => !named.includes(each)).map(([code]) =>
      `the close code ${toOneLine(code)} is not declared`
    ),
    ...(areOffered ? [] : ["some subprotocols are not declared"]),
    ...(most === undefined || isLimit ? [] : ["the most bytes of a message are not declared"]),
    ...fromClient.changes,
    ...fromServer.changes,
  );
}

function planMessages(
  socket: LocatedPart,
  side: "fromClient" | "fromServer",
  direction: Direction,
  { source, schemas }: DocumentReader,
): Planned<MessagePlan> {
  const [media, ...others] = contentsOf(source, resolvePart(source, memberOf(socket, side)));
  if (media === undefined) return toPlanned({ kind: "json", model: unknown }, `${side} has no content`);
  const essence = mediaTypeEssence(media.type);
  const model = schemas.read(memberOf(media, "schema"), direction);
  const more = others.length > 0 ? [`the messages ${side} are ${essence} only`] : [];
  if (isJsonType(essence)) return toPlanned({ kind: "json", model }, ...more);
  const kind = isTextType(essence) ? "text" : "bytes";
  const lost = isPlain(model) ? [] : [`the messages ${side} are ${essence}, whose schema is not declared`];
  return toPlanned({ kind, model: unknown }, ...more, ...lost);
}
