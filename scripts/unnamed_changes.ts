/** Finds the differences between a document and its contract that no line of the report of the import names. */
import type { Contract } from "@scope/api";
import {
  type AnyOpenApiDocument,
  type AnySwaggerDocument,
  type Change,
  type ContractOrDocument,
  diffContracts,
} from "@scope/api/diff";
import type { ImportReport, ReportedOperation, ReportedPlace } from "@scope/api/import";
import { routesOf } from "../src/contract/node.ts";
import { parseStep } from "../src/tools/json_schema/references.ts";
import { type Field, type MediaContent, readOperation } from "../src/tools/import/read_operation.ts";
import { toSource } from "../src/tools/import/source.ts";
import {
  below,
  describePlace,
  findReferenced,
  listOperations,
  listWebhooks,
  type Located,
  type LocatedPart,
  memberOf,
  type Operation,
} from "../src/tools/openapi/operations.ts";
import { toList, toPart } from "../src/tools/openapi/part.ts";

/**
 * Lists the differences of all verdicts that no line of a report names: one about their operation, or about their schema.
 *
 * @param other What the document is compared with: the contract, or the document of the contract.
 */
export function listUnnamed(
  document: AnyOpenApiDocument | AnySwaggerDocument,
  contract: Contract,
  report: ImportReport,
  other: ContractOrDocument = contract,
): Change[] {
  const reader = new ReportReader(document, contract, report);
  return diffContracts(document, other, { samples: 20 }).filter((change) => !reader.names(change));
}

/** An operation of a document, and what the report says about it. */
interface Told {
  readonly operation: Operation;
  readonly told: ReportedOperation;
}

/** Finds the lines of a report that name a difference. */
class ReportReader {
  readonly #source: ReturnType<typeof toSource>;
  readonly #lines: ReadonlyMap<string, readonly string[]>;
  readonly #told = new Map<string, Told[]>();
  /** The parts that are not declared, as differences name them. */
  readonly #omitted: ReadonlySet<string>;
  /** The schemas that extend another one by `allOf`, by its place. */
  readonly #children = new Map<string, Located[]>();

  constructor(document: object, contract: Contract, report: ImportReport) {
    this.#source = toSource(document);
    this.#omitted = new Set(report.omitted.map(({ message }) => /webhook/.test(message) ? "webhooks" : "callbacks"));
    this.#lines = groupLines([...report.faults, ...report.unchecked]);
    const operations = new Map(
      listOperations(this.#source, () => {}).map((each) => [`${each.method.toUpperCase()} ${each.path}`, each]),
    );
    const ids = new Map(routesOf(contract.routes).map(({ key, docs }) => [key, docs.operationId ?? key]));
    for (const told of report.operations) {
      const operation = operations.get(told.operation)!; // the report has those of the document
      const { operationId } = operation.part;
      const own = typeof operationId === "string" ? operationId : undefined;
      for (const name of new Set([own ?? told.operation, ids.get(told.key ?? "")])) {
        if (name !== undefined) this.#told.set(name, [...this.#told.get(name) ?? [], { operation, told }]);
      }
    }
    for (const operation of listWebhooks(this.#source)) {
      const name = `${operation.method.toUpperCase()} ${operation.path}`;
      const told = report.webhooks.filter((each) => each.operation === name);
      this.#told.set(`webhooks.${operation.path}`, told.map((each) => ({ operation, told: each })));
    }
    this.#readChildren();
  }

  /** Whether the report names a difference. */
  names(change: Change): boolean {
    if (change.rule === "part-changed") return this.#omitted.has(change.where);
    const routes = [change.route, .../ goes to (.+) now/.exec(change.message)?.slice(1) ?? []];
    const told = routes.flatMap((route) => this.#told.get(route) ?? this.#findByPath(route));
    return told.some((each) => this.#namesInOperation(change, each) || this.#namesInSchema(change, each));
  }

  /** An operation without an id is named by its method and path, below the path of the server. */
  #findByPath(route: string): readonly Told[] {
    const [method, path = ""] = route.split(" ", 2);
    return [...this.#told].filter(([name]) => {
      const [own, end] = name.split(" ", 2);
      return own === method && end !== undefined && path.endsWith(end);
    }).flatMap(([, told]) => told);
  }

  #namesInOperation(change: Change, { told }: Told): boolean {
    if (told.reason !== undefined && change.rule === "route-removed") return true;
    return told.changes.some((message) => namesChange(message, change));
  }

  #namesInSchema(change: Change, { operation }: Told): boolean {
    const { slot, path } = readPlace(change);
    const fields = this.#fieldsOf(operation, slot);
    const [field, ...rest] = path;
    const own = fields.filter(([name]) => name === field).map(([, schema]) => schema);
    const isField = own.length > 0;
    let here = this.#expand(isField ? own : fields.map(([, schema]) => schema));
    const above: Located[] = [];
    for (const step of isField ? rest : path) {
      above.push(...here);
      here = this.#expand(here.flatMap((located) => this.#membersOf(located, step)));
    }
    return this.#hasLine(here, change, "here") || this.#hasLine(above, change, "above") ||
      this.#hasLine(this.#reach(here), change, "below");
  }

  #hasLine(places: readonly Located[], change: Change, position: Position): boolean {
    return places.some(({ place }) =>
      ["", "/discriminator"].some((end) =>
        this.#lines.get(describePlace(place) + end)?.some((message) => namesSchemaChange(message, change, position))
      )
    );
  }

  /** The schemas of a slot by the name of the parameter or header; those of a body have no name. */
  #fieldsOf(operation: Operation, slot: string): NamedSchema[] {
    const { parameters, body, responses } = readOperation(operation, { source: this.#source, options: {} });
    const toNamed = (field: Field): NamedSchema[] => {
      const name = field.part.in === "path" || field.part.in === "query" ? field.name : field.name.toLowerCase();
      return schemasIn(field, [field.content ?? []].flat()).map((schema) => [name, schema]);
    };
    const place = { params: "path", query: "query", headers: "header" }[slot];
    if (place !== undefined) return parameters.filter(({ part }) => part.in === place).flatMap(toNamed);
    const [status, kind] = slot.split(" ");
    const reply = responses.find(({ name }) => name === status);
    if (kind !== undefined) return reply?.headers.flatMap(toNamed) ?? [];
    const message = slot === "body" ? body : reply;
    return message ? schemasIn(message, message.contents).map((schema) => ["", schema]) : [];
  }

  /** Returns schemas with all that apply to the same value. */
  #expand(schemas: readonly Located[]): Located[] {
    return collect(schemas, (each) => this.#nearOf(each));
  }

  /** Returns all schemas within others. */
  #reach(schemas: readonly Located[]): Located[] {
    return collect(schemas, (each) => [...this.#nearOf(each), ...this.#allMembers(each)]);
  }

  #nearOf({ value, place }: Located): Located[] {
    const { $ref, ...schema } = toPart(value);
    const target = typeof $ref === "string" ? findReferenced(this.#source, $ref) : undefined;
    const lists = ["allOf", "anyOf", "oneOf"].flatMap((name) =>
      toList(schema[name]).map((each, index) => ({ value: each, place: below(place, name, index) }))
    );
    const single = ["not", "if", "then", "else"].filter((name) => schema[name] !== undefined)
      .map((name) => ({ value: schema[name], place: below(place, name) }));
    const mapped = Object.values(toPart(toPart(schema.discriminator).mapping)).flatMap((reference) =>
      findReferenced(this.#source, String(reference)) ?? []
    );
    return [
      ...(target ? [target] : []),
      ...lists,
      ...single,
      ...mapped,
      ...this.#children.get(describePlace(place)) ?? [],
    ];
  }

  #membersOf(located: Located, name: string): Located[] {
    const { value } = located;
    const own = toPart(toPart(value).properties);
    if (Object.hasOwn(own, name)) return [{ value: own[name], place: below(located.place, "properties", name) }];
    return this.#othersOf(located);
  }

  #allMembers(located: Located): Located[] {
    const names = Object.keys(toPart(toPart(located.value).properties));
    return [...names.flatMap((name) => this.#membersOf(located, name)), ...this.#othersOf(located)];
  }

  #othersOf({ value, place }: Located): Located[] {
    const schema = toPart(value);
    const patterns = Object.entries(toPart(schema.patternProperties)).map(([name, each]) => ({
      value: each,
      place: below(place, "patternProperties", name),
    }));
    const names = ["items", "additionalItems", "additionalProperties", "contains"];
    const single = names.filter((name) => typeof schema[name] === "object" && !Array.isArray(schema[name]))
      .map((name) => ({ value: schema[name], place: below(place, name) }));
    const lists = ["prefixItems", "items"].flatMap((name) =>
      toList(schema[name]).map((each, index) => ({ value: each, place: below(place, name, index) }))
    );
    return [...patterns, ...single, ...lists];
  }

  #readChildren(): void {
    const { components } = this.#source.root;
    const place = { file: "", pointer: "/components/schemas" };
    for (const [name, value] of Object.entries(toPart(toPart(components).schemas))) {
      const child = { value, place: below(place, name) };
      for (const member of toList(toPart(value).allOf)) {
        const { $ref } = toPart(member);
        const parent = typeof $ref === "string" ? findReferenced(this.#source, $ref) : undefined;
        if (parent?.value === undefined || toPart(parent.value).discriminator === undefined) continue;
        const key = describePlace(parent.place);
        this.#children.set(key, [...this.#children.get(key) ?? [], child]);
      }
    }
  }
}

/** Where the schema of a line is: it is the one that differs, one around it, or one within it. */
type Position = "here" | "above" | "below";

/** Whether a message about a schema names a difference of it, or of a member. */
function namesSchemaChange(message: string, change: Change, position: Position): boolean {
  const { 1: ruledOut } = /^additionalProperties rules out "(.+)"/.exec(message) ?? [];
  if (ruledOut !== undefined) return readPlace(change).path.includes(ruledOut);
  const [, words, isAround = false] = schemaLines.find(([line]) => line.test(message)) ?? [];
  return (position !== "above" || isAround) && (words === undefined || words.test(change.message));
}

/** The messages about schemas, what the differences say that each names, and whether those are in members, too. */
const schemaLines: readonly (readonly [line: RegExp, words?: RegExp | undefined, isAround?: boolean])[] = [
  [/^nullable alone|has no type|^the discriminator|part of itself|required properties$/, undefined, true],
  [/does not define/, /\$ref|may be|can no longer be/, true],
  [/^that a value matches only one of oneOf$/, /alternative|may be|can no longer be/],
  [/^the properties of an object that another one of a union includes$/, /was removed|was added/, true],
  [/ rules out null; /, /null|alternative/],
  [/^uniqueItems$/, /unique/i],
  [/^the format /, /format/],
  [/ is not a regular expression$/, /pattern/],
  [/^additionalProperties /, undefined, true],
  [/^(?:min|max)Properties$|^propertyNames$/, /members|propertyNames|was (?:added|removed)/],
  [/^\$(?:recursive|dynamic)Ref$/, /\$(?:recursive|dynamic)Ref/],
];

/** Whether a message about an operation names a difference of it. */
function namesChange(message: string, change: Change): boolean {
  const { slot, path: [field = ""] } = readPlace(change);
  return operationLines.some(([line, names]) => {
    const match = line.exec(message);
    return match !== null && names({ ...change, slot, field }, ...match.slice(1));
  });
}

interface PlacedChange extends Change {
  /** The slot: `query`, `200 headers`. */
  readonly slot: string;
  /** The first name within the slot. */
  readonly field: string;
}

type OperationLine = readonly [line: RegExp, names: (change: PlacedChange, ...matched: string[]) => boolean];

/** The messages about operations, and the differences that each names. */
const operationLines: readonly OperationLine[] = [
  [
    /^the header (\S+) of responses is (?:text$|not declared)/,
    ({ slot, field }, name) => / headers$/.test(slot) && field === name,
  ],
  [
    /^the header (\S+) of the response (\S+) is declared twice/,
    ({ slot, field }, name, status) => slot === `${status} headers` && field === name,
  ],
  [
    /^the response (\S+) is .+ only, not /,
    ({ rule, slot }, status) => slot === status && /^(content-type|representation)/.test(rule),
  ],
  [/^the (?:events of the )?response (\S+) /, ({ slot }, status) => slot === status],
  [/^the request is .+ only, not /, ({ rule, slot }) => slot === "body" && /^content-type/.test(rule)],
  [/^the (?:request|body) (?:is|has) |fields of the form are/, ({ slot }) => slot === "body"],
  [/^the body is not declared/, ({ rule }) => rule === "body-removed"],
  [/credential|another scheme|security scheme/, ({ slot }) => slot === "security"],
  [/^the query parameter (.+?) is /, ({ slot, field }, name) => slot === "query" && belongsTo(field, name!)],
  [/^other parameters of |^the query as a whole/, ({ slot }) => slot === "query"],
  [
    /^the parameter (.+?) is called (.+)$/,
    ({ slot, field }, name, other) => slot === "params" && [name, other].includes(field),
  ],
  [/^the parameter (.+?) is /, ({ slot, field }, name) => slot === "params" && field === name],
  [
    /^the segment .* is one parameter, :(.*)$/,
    ({ rule, slot }) => slot === "params" || /^route-/.test(rule),
  ],
  [
    /^the field (.+?) (?:of the form )?is /,
    ({ slot, field }, name) => ["body", "query"].includes(slot) && belongsTo(field, name!),
  ],
  [
    /^the default of (.+) is not declared/,
    ({ rule, where }, name) => rule === "default-changed" && where.endsWith(`/${name}`),
  ],
  [/^the header "?([^" ]+)"? is /, ({ slot, field }, name) => slot === "headers" && field === name!.toLowerCase()],
  [/^the cookie "(.+)" is not declared/, ({ where }, name) => where === `cookie /${name}`],
  [/^the sunset /, ({ rule }) => rule === "sunset-changed"],
  [/^its operationId is /, ({ rule }) => rule === "key-renamed"],
  [/^(.+) is ".*" in its path, because /, ({ rule, slot }) => slot === "params" || /^route-/.test(rule)],
  [/^it has no responses/, ({ slot }) => slot === "200"],
];

/** Whether a parameter is another one, or a member of it: `filter[name]`. */
function belongsTo(field: string, name: string): boolean {
  return field === name || field.startsWith(`${name}[`);
}

/** Returns the slot of a difference, and the names that lead to its place there. */
function readPlace({ where }: Change): { readonly slot: string; readonly path: readonly string[] } {
  const { 1: slot = "", 2: pointer = "" } = /^(\S*(?: headers)?)(?: (\/.*))?$/s.exec(where) ?? [];
  return { slot, path: pointer.split("/").slice(1).map((step) => parseStep(step)[0]!) };
}

/** A schema with the name of its parameter or header. */
type NamedSchema = readonly [name: string, schema: Located];

/** Returns the schemas of a part, and of its content. */
function schemasIn(part: LocatedPart, contents: readonly MediaContent[]): Located[] {
  return [part, ...contents].flatMap((each) => [memberOf(each, "schema"), memberOf(each, "itemSchema")])
    .filter(({ value }) => value !== undefined);
}

function groupLines(lines: readonly ReportedPlace[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { place, message } of lines) found.set(place, [...found.get(place) ?? [], message]);
  return found;
}

/** Returns values with all that they lead to, each place once. */
function collect(first: readonly Located[], next: (each: Located) => readonly Located[]): Located[] {
  const found = new Map<string, Located>();
  const waiting = [...first];
  for (const each of waiting) { // which grows
    const key = describePlace(each.place);
    if (found.has(key)) continue;
    found.set(key, each);
    waiting.push(...next(each));
  }
  return [...found.values()];
}
