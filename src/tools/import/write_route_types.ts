/** Writes what the types of written and of slim contracts have in common. */
import { type Code, type Item, listCode, objectCode, print, proseLines, quote } from "../code/print.ts";
import { type ImportedFile, Module, type Modules, schemasIn } from "./module.ts";
import type { Model } from "./model.ts";
import {
  type GroupPlan,
  mapSecurity,
  type MessagePlan,
  rankStatus,
  type RequirementPlan,
  type ResponsePlan,
  type RoutePlan,
  type SchemePlan,
  type SecurityPlan,
} from "./plan.ts";
import { docLines, typeCode, type TypeOptions } from "./write_types.ts";

/** What the types of routes are written with. */
export interface TypeWriter {
  readonly module: Module;
  readonly shared: Modules;
  /** Names a type of the toolkit. */
  readonly use: (name: string) => string;
  /** The types of values. */
  readonly options: TypeOptions;
  /** Writes the type of a response. */
  readonly response: (plan: ResponsePlan, writer: TypeWriter) => Code;
}

/** Returns the type `{ name: Type; other: Type }`. */
export function typesCode(items: readonly Item[]): Code {
  return { ...objectCode(items), separator: ";" };
}

export function valueType(model: Model, { options }: TypeWriter, own: Partial<TypeOptions> = {}): Code {
  return typeCode(model, { ...options, ...own });
}

/** Returns the type of responses by status, those of ranges around the others. */
export function responsesType(responses: RoutePlan["responses"], writer: TypeWriter): Code {
  const ofStatus = responses.filter(([status]) => rankStatus(status) === 2);
  const ranges = responses.filter(([status]) => rankStatus(status) < 2)
    .toSorted(([one], [other]) => rankStatus(other) - rankStatus(one));
  const own = typesCode(ofStatus.map(([status, declared]) => ({ code: [`${status}: `, toType(declared)] })));
  return ranges.reduce(
    (
      inner,
      [range, declared],
    ) => [`${writer.use("WithStatuses")}<${quote(range)}, `, toType(declared), ", ", inner, ">"],
    own,
  );

  function toType(declared: ResponsePlan | string): Code {
    if (typeof declared !== "string") return writer.response(declared, writer);
    writer.module.useFile("responses", `type ${declared}`);
    return declared;
  }
}

/** Returns the type of a body as it is received. */
export function receivedType({ kind, model }: ResponsePlan | MessagePlan, writer: TypeWriter): Code {
  switch (kind) {
    case "text":
      return "string";
    case "bytes":
      return "Uint8Array<ArrayBuffer>";
    case "empty":
      return "undefined";
    case "sse":
      return [`${writer.use("EventReader")}<`, valueType(model, writer), ">"];
    case "ndjson":
      return [`${writer.use("ItemReader")}<`, valueType(model, writer), ">"];
    default:
      return valueType(model, writer);
  }
}

/** The types of the credentials of each kind of scheme. A custom one has none. */
const credentialTypes: Readonly<Record<SchemePlan["kind"], string | undefined>> = {
  bearer: "BearerCredential",
  basic: "BasicCredential",
  apiKey: "ApiKeyCredential",
  cookie: "CookieCredential",
  custom: undefined,
};

/** Returns the types of the alternatives that a route accepts. `open` is what stands before the list of schemes. */
export function securityTypes(
  security: SecurityPlan,
  { use, shared }: TypeWriter,
  open: string,
  schemeType: (type: string, scheme: SchemePlan, requirement: RequirementPlan) => Code,
): Code[] {
  return mapSecurity<Code>(security, {
    none: () => use("NoSecurity"),
    all: (schemes) => [`${use("CombinedSchemes")}<${open}`, listCode(schemes), ">"],
    scheme: (requirement) => {
      const scheme = shared.plan.schemes.find(({ identifier }) => identifier === requirement.identifier)!;
      const credential = credentialTypes[scheme.kind];
      const type = credential === undefined ? "Record<never, never>" : use(credential);
      return schemeType(`${quote(scheme.name)}, ${type}`, scheme, requirement);
    },
  });
}

/** Writes the types of the schemas of groups, and those of shared responses. */
export function writeSharedTypes(
  groups: readonly GroupPlan[],
  shared: Modules,
  { suffix, rules, writerOf }: Pick<TypeOptions, "rules"> & {
    readonly suffix: string;
    readonly writerOf: (module: Module) => TypeWriter;
  },
): ImportedFile[] {
  const schemas = groups.flatMap(({ key }) => {
    const module = new Module(shared, "./", suffix);
    const body = schemasIn(key, shared).map(({ identifier, model, group }) => {
      const nameOf = (each: string) => module.schema(each, group, "type ");
      const type = typeCode(model, { nameOf, ...(rules && { rules }) });
      return [...docLines(model), `${print([`export type ${identifier} = `, type])};`].join("\n");
    });
    return body.length === 0 ? [] : [module.print(`schemas/${shared.files.get(key)}`, body)];
  });
  const module = new Module(shared, "./", suffix);
  const writer = writerOf(module);
  const responses = shared.plan.responses.map(({ identifier, response }) => {
    const declared = print([`export type ${identifier} = `, writer.response(response, writer)]);
    return [...proseLines(response.description), `${declared};`].join("\n");
  });
  return [...schemas, ...(responses.length > 0 ? [module.print("responses", responses)] : [])];
}
