/** Plans the routes of a document: its operations by tag, with what of them a contract can declare. */
import { toOneLine } from "../../messages.ts";
import {
  below,
  follow,
  followFile,
  listItems,
  listMembers,
  listParameters,
  localhost,
  type Located,
  type LocatedPart,
  memberOf as memberAt,
  type Operation,
  type Place,
  serverUrlOf,
} from "../openapi/operations.ts";
import type { Json } from "../json_schema/json.ts";
import { spend } from "../json_schema/steps.ts";
import { pathShape } from "../../path.ts";
import { parseStep } from "../../schema.ts";
import { isToken } from "../../wire/headers.ts";
import { type FieldStyle, ownerOf, type TextPattern } from "../../wire/field_styles.ts";
import { mediaTypeEssence } from "../../wire/media_type.ts";
import { Names, toCamelCase, toPascalCase, toWords } from "./names.ts";
import { isJsonPart, toJsonShape, withFiles } from "./form_parts.ts";
import { isPart, memberOf, type Part, toObject, toPart, toText } from "./part.ts";
import { type ImportedPath, type PathOptions, type PathParameter, readPath } from "./path.ts";
import type {
  BodyPlan,
  GroupPlan,
  ImportOptions,
  ResponsePlan,
  RoutePlan,
  SecurityPlan,
  SharedResponse,
} from "./plan.ts";
import type { SecurityReader } from "./plan_security.ts";
import type { ReportedOperation, Reporter } from "./report.ts";
import type { Schemas } from "./schemas.ts";
import { type ObjectShape, type Property, type Shape, toUnion } from "./shape.ts";
import type { Source } from "./source.ts";
import { isAnyText, isOfShape, toOneObject, toTextShape } from "./text_shape.ts";

/** What the routes of a document are planned with. */
export interface RouteReader {
  readonly source: Source;
  readonly operations: readonly Operation[];
  /** The path of the server of each operation. */
  readonly bases: ReadonlyMap<Operation, string>;
  readonly schemas: Schemas;
  readonly security: SecurityReader;
  readonly reporter: Reporter;
  readonly options: ImportOptions;
  /** The path that precedes all others; `""` if servers differ in it. */
  readonly basePath: string;
  /** The security of operations that have none of their own. */
  readonly shared: SecurityPlan | undefined;
  /** What of it is declared otherwise than in the document. */
  readonly sharedChanges: readonly string[];
}

/** The routes of a document, and what became of each operation. */
export interface PlannedRoutes {
  readonly groups: readonly GroupPlan[];
  readonly responses: readonly SharedResponse[];
  readonly operations: readonly ReportedOperation[];
}

/** Plans the routes of a document. */
export function planRoutes(reader: RouteReader): PlannedRoutes {
  const collector = new Collector(reader);
  for (const operation of reader.operations) collector.add(operation);
  return collector.finish();
}

/** A group while its routes are collected. */
interface Group {
  readonly key: string;
  readonly tag: string;
  readonly names: Names;
  readonly routes: RoutePlan[];
}

/** Collects the routes of a document. */
class Collector {
  readonly #reader: RouteReader;
  readonly #groups = new Map<string, Group>();
  readonly #groupNames = new Names();
  readonly #operations: (ReportedOperation & { readonly changes: string[] })[] = [];
  readonly #shapes = new Map<string, string>();
  readonly #responses = new Map<string, SharedResponse>();
  readonly #responseNames = new Names();

  readonly #crowded: ReadonlySet<string>;

  constructor(reader: RouteReader) {
    this.#reader = reader;
    this.#crowded = this.#listCrowded();
  }

  /** Adds the route of an operation, or reports why there is none. */
  add(operation: Operation): void {
    const { method, path } = operation;
    const name = `${method.toUpperCase()} ${path}`;
    const { only } = this.#reader.options;
    if (only && !namesOf(this.#reader.source, operation).some((each) => only.includes(each))) return;
    const tags = tagsOf(this.#reader.source, operation);
    const tag = tags[0] ?? tagOfPath(path);
    const changes: string[] = [];
    try {
      const { shape, ...planned } = this.#plan(operation, changes);
      const group = this.#groupOf(tag);
      const key = group.names.take(keyOf(operation, group.tag));
      this.#shapes.set(shape, `${group.key}.${key}`);
      group.routes.push({ ...planned, key, tags: tags.filter((each) => each !== group.tag) });
      this.#operations.push({ operation: name, key: `${group.key}.${key}`, changes, reason: undefined });
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      this.#operations.push({ operation: name, key: undefined, changes: [], reason: error.message });
    }
  }

  finish(): PlannedRoutes {
    this.#nameOperations();
    const { source } = this.#reader;
    const tags = listItems(source, memberAt(followFile(source), "tags")).map((each) => follow(source, each).part);
    return {
      groups: [...this.#groups.values()].filter(({ routes }) => routes.length > 0).map(({ key, tag, routes }) => ({
        key,
        tag,
        routes,
        description: toText(tags.find(({ name }) => name === tag)?.description),
      })),
      responses: [...this.#responses.values()],
      operations: this.#operations,
    };
  }

  /** Renames the operation ids that others have too, because a document cannot have them twice. */
  #nameOperations(): void {
    const routes = [...this.#groups.values()].flatMap((group) =>
      group.routes.map((route, index) => ({ group, route, index }))
    );
    const idOf = ({ group, route }: typeof routes[number]) => route.operationId ?? `${group.key}.${route.key}`;
    const names = new Names(routes.map(idOf));
    const taken = new Set<string>();
    const reported = new Map(this.#operations.map((each) => [each.key, each]));
    for (const each of routes) {
      const id = idOf(each);
      if (!taken.has(id)) {
        taken.add(id);
        continue;
      }
      const { group, route, index } = each;
      const operationId = names.take(id);
      group.routes[index] = { ...route, operationId };
      reported.get(`${group.key}.${route.key}`)!.changes.push(
        `its operationId is ${JSON.stringify(operationId)}, because another operation has ${JSON.stringify(id)}`,
      );
    }
  }

  #groupOf(tag: string): Group {
    const known = this.#groups.get(tag);
    if (known) return known;
    const group = { key: this.#groupNames.take(toCamelCase(toWords(tag))), tag, names: new Names(), routes: [] };
    this.#groups.set(tag, group);
    return group;
  }

  #plan(operation: Operation, changes: string[]): Omit<RoutePlan, "key" | "tags"> & { shape: string } {
    const { method, part, item } = operation;
    if (method === "trace") throw new TypeError("fetch cannot send TRACE");
    if (!isMethod(method)) throw new TypeError(`a contract cannot declare the method ${toOneLine(method)}`);
    const { source } = this.#reader;
    reportServer(source, operation, changes);
    const sunset = part.deprecated === true ? toText(part["x-sunset"]) : undefined;
    if (sunset !== undefined) changes.push(`the sunset ${toOneLine(sunset)} is not declared`); // it needs a beginning
    const parameters = this.#readParameters(operation, changes);
    const declared = new Set(parameters.filter((each) => each.part.in === "path").map(({ name }) => name));
    const joined = this.#readPath(operation, { declared, isCrowded: false });
    const isCrowded = this.#crowded.has(shapeOf(method, joined));
    const written = isCrowded ? this.#readPath(operation, { declared, isCrowded: true }) : joined;
    changes.push(...written.changes);
    const read = this.#toFreePath(written, method, parameters, changes);
    const requestBody = this.#readBody(operation, changes);
    const headers = this.#planHeaders(parameters, changes);
    const security = part.security === undefined
      ? undefined
      : this.#reader.security.read(memberAt(operation, "security"), changes);
    if (security === undefined) changes.push(...this.#reader.sharedChanges);
    const { description, summary } = item.part;
    return {
      shape: shapeOf(method, read),
      method,
      path: read.path,
      hasTrailingSlash: read.hasTrailingSlash,
      summary: toText(part.summary) ?? toText(summary),
      description: toText(part.description) ?? toText(description),
      deprecated: part.deprecated === true,
      operationId: toText(part.operationId),
      params: this.#planParams(read, parameters, changes),
      query: this.#planQuery(parameters, changes),
      headers,
      body: requestBody,
      responses: this.#planResponses(operation, changes),
      security: isSame(security, this.#reader.shared) ? undefined : security,
    };
  }

  /** Reads the path of an operation, below that of its server if the servers of operations differ. */
  #readPath(operation: Operation, options: Pick<PathOptions, "declared" | "isCrowded">): ImportedPath {
    const { bases, basePath } = this.#reader;
    const base = bases.get(operation)!; // which all operations have
    const isShared = base === basePath;
    const path = isShared ? operation.path : `${base}${operation.path}`;
    return readPath(path, { ...options, isBelow: isShared && base !== "" });
  }

  /** Returns the methods and paths that several operations have, if each segment has at most one parameter. */
  #listCrowded(): ReadonlySet<string> {
    const hasSeveral = (segment: string) => segment.split("{").length > 2;
    if (!this.#reader.operations.some(({ path }) => path.split("/").some(hasSeveral))) return new Set();
    const seen = new Set<string>();
    const crowded = this.#reader.operations.flatMap((operation) => {
      try {
        const read = this.#readPath(operation, { declared: new Set(), isCrowded: false });
        const shape = shapeOf(operation.method, read);
        return seen.size < seen.add(shape).size ? [] : [shape];
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        return []; // it is left out
      }
    });
    return new Set(crowded);
  }

  /**
   * Returns a path that no earlier route has. Where a parameter makes two paths the same, its default is a segment that
   * tells them apart.
   */
  #toFreePath(read: ImportedPath, method: string, parameters: readonly Parameter[], changes: string[]): ImportedPath {
    const earlier = this.#shapes.get(shapeOf(method, read));
    if (earlier === undefined) return read;
    for (const parameter of read.parameters) {
      const [part] = parameter.parts;
      const declared = parameters.find((each) => each.part.in === "path" && isParameter(part, each.name));
      const fallback = toPart(declared?.part.schema).default;
      if (typeof fallback !== "string" || !/^[\w.-]+$/.test(fallback)) continue;
      const segments = read.path.split("/").map((segment) => segment === `:${parameter.name}` ? fallback : segment);
      const fixed = {
        ...read,
        path: segments.join("/"),
        parameters: read.parameters.filter((each) => each !== parameter),
      };
      if (this.#shapes.has(shapeOf(method, fixed))) continue;
      changes.push(
        `${declared!.name} is ${JSON.stringify(fallback)} in its path, because ${earlier} has the same method and path`,
      );
      return fixed;
    }
    throw new TypeError(`${earlier} has the same method and path`);
  }

  /** Returns the parameters of an operation, including those of its path, which its own replace. */
  #readParameters(operation: Operation, changes: string[]): Parameter[] {
    const { source } = this.#reader;
    const parameters = listParameters(source, operation, (one, other) => {
      changes.push(`the header ${toOneLine(one)} is also declared as ${toOneLine(other)}; it is one`);
    });
    return parameters.map(({ part, place }) => {
      const [content] = this.#contentsOf({ part, place });
      return { part, place, name: String(part.name), content };
    });
  }

  /** Returns the content of a part by media type. The part, its content and each media type may be references. */
  #contentsOf(located: LocatedPart): Content[] {
    const { source } = this.#reader;
    return listMembers(source, memberAt(located, "content")).map(([type, each]) => ({ type, ...follow(source, each) }));
  }

  /** Returns the schema of a parameter as text, and what is said about it. */
  #readParameter({ part, place, content }: Parameter, changes: string[]): Shape {
    const { schemas, reporter } = this.#reader;
    const located = memberAt(content ?? { part, place }, "schema");
    const text = toTextShape(schemas.read(located, "input"), { schemas, reporter, hasFiles: false });
    const shape = withNamedDefault(text, schemas);
    const description = toText(part.description) ?? shape.description;
    const described = {
      ...shape,
      ...(description !== undefined && { description }),
      ...(part.deprecated === true && { deprecated: true }),
    };
    if (described.default === undefined || isOfShape(described, described.default, schemas)) return described;
    const { default: fallback, ...rest } = described;
    if (fallback !== null) changes.push(`the default of ${part.name} is not declared: ${JSON.stringify(fallback)}`);
    return rest as Shape;
  }

  /** Returns the schema of a parameter that is JSON. `undefined` for another one. */
  #readJson({ part, content }: Parameter): Shape | undefined {
    if (content === undefined || !isJsonType(mediaTypeEssence(content.type))) return undefined;
    const { default: _, ...shape } = this.#reader.schemas.read(memberAt(content, "schema"), "input");
    const described = withDescription(shape as Shape, part); // only its default is gone
    return part.deprecated === true ? { ...described, deprecated: true } : described;
  }

  #planParams(
    { parameters: segments }: ImportedPath,
    parameters: readonly Parameter[],
    changes: string[],
  ): ObjectShape | undefined {
    const { schemas } = this.#reader;
    const properties = segments.flatMap(({ name, parts, pattern }): Property[] => {
      const [only] = parts;
      if (parts.length > 1) {
        changes.push(
          `the segment ${
            parts.map((part) => typeof part === "string" ? part : `{${part.parameter}}`).join("")
          } is one parameter, :${name}`,
        );
        return [{ name, shape: toTemplate(parts), isRequired: true, ...(pattern !== undefined && { style: pattern }) }];
      }
      const { parameter } = only as { parameter: string }; // a segment without one has no entry
      if (parameter !== name) changes.push(`the parameter ${toOneLine(parameter)} is called ${name}`);
      const declared = parameters.find((each) => each.part.in === "path" && each.name === parameter);
      if (pattern !== undefined) return [this.#planAround({ name, pattern }, declared, changes)];
      const json = declared && this.#readJson(declared);
      if (json) return [{ name, shape: json, isRequired: true, style: "json" }];
      const { style = "simple", explode = false } = declared?.part ?? {};
      const isStyled = style !== "simple" || explode === true;
      if (isStyled) {
        changes.push(`the parameter ${name} is one text, ${style === "simple" ? "exploded" : `in the style ${style}`}`);
      }
      const { default: _, ...read } = declared ? this.#readParameter(declared, []) : { kind: "string" } as Shape;
      const shape = style === "simple" ? this.#toList(read as Shape, `parameter ${name}`, changes) : read as Shape;
      const list = style === "simple" && this.#listOf(shape);
      if (list) return [{ name, shape: list, isRequired: true, style: "comma" }];
      const text = toOneText(shape, schemas);
      if (!isStyled && !isSame(text, shape)) changes.push(`the parameter ${name} is one text`);
      return isAnyText(text) ? [] : [{ name, shape: text, isRequired: true }];
    });
    return toSlot(properties);
  }

  /** Plans the parameter of a segment with text around it. */
  #planAround(
    { name, pattern }: { readonly name: string; readonly pattern: TextPattern },
    declared: Parameter | undefined,
    changes: string[],
  ): Property {
    const { default: _, ...read } = declared ? this.#readParameter(declared, []) : { kind: "string" } as Shape;
    const text = toOneText(read as Shape, this.#reader.schemas);
    if (!isSame(text, read)) changes.push(`the parameter ${name} is one text`);
    return { name, shape: text.kind === "unknown" ? { kind: "string" } : text, isRequired: true, style: pattern };
  }

  #planHeaders(parameters: readonly Parameter[], changes: string[]): ObjectShape | undefined {
    const ignored = ["accept", "content-type", "authorization"]; // the document must not describe them as parameters
    const properties = parameters.filter((each) => each.part.in === "header").flatMap((each): Property[] => {
      const name = each.name.toLowerCase();
      if (ignored.includes(name)) return [];
      if (!isToken(name) || name === "cookie") {
        changes.push(`the header ${JSON.stringify(each.name)} is not declared`);
        return [];
      }
      const json = this.#readJson(each);
      if (json) return [{ name, shape: json, isRequired: each.part.required === true, style: "json" }];
      const { style = "simple" } = each.part;
      if (style !== "simple") {
        changes.push(`the header ${name} is one text, in the style ${style}`);
        return [{
          name,
          shape: withDescription({ kind: "string" }, each.part),
          isRequired: each.part.required === true,
        }];
      }
      const shape = this.#toList(this.#readParameter(each, changes), `header ${name}`, changes);
      const list = this.#listOf(shape);
      if (list) return [{ name, shape: list, isRequired: each.part.required === true, style: "comma" }];
      const text = toOneText(shape, this.#reader.schemas);
      if (!isSame(text, shape)) changes.push(`the header ${name} is one text`);
      return [{ name, shape: text, isRequired: each.part.required === true }];
    });
    for (const { name } of parameters.filter((each) => each.part.in === "cookie")) {
      changes.push(`the cookie ${JSON.stringify(name)} is not declared`);
    }
    return toSlot(properties);
  }

  /**
   * Returns a list for a type that is a list or one text, because a field with separators is read as a list: a text is
   * a list of one. Returns any other type as it is.
   */
  #toList(shape: Shape, what: string, changes: string[]): Shape {
    const { schemas } = this.#reader;
    if (schemas.resolve(shape)?.kind !== "union") return shape;
    const members = listAlternatives(shape, schemas);
    const lists = members.filter((member) => member.kind === "array");
    if (lists.length === 0 || members.some((member) => hasObject(member, schemas))) return shape;
    changes.push(`the ${what} is a list, also of one text`);
    const { description, deprecated, default: fallback } = shape;
    return {
      kind: "array",
      items: toUnion(members.map((member) => toOneText(member.kind === "array" ? member.items : member, schemas))),
      ...(description !== undefined && { description }),
      ...(deprecated && { deprecated }),
      ...(fallback !== undefined && { default: [fallback].flat() as Json }),
    };
  }

  /** Returns a type as a list of texts, if it is a list. */
  #listOf(shape: Shape): Shape | undefined {
    return this.#reader.schemas.resolve(shape)?.kind === "array" ? this.#toStyled(shape, "comma") : undefined;
  }

  #planQuery(parameters: readonly Parameter[], changes: string[]): ObjectShape | undefined {
    const properties = parameters.filter((each) => each.part.in === "query").flatMap((each): Property[] => {
      const isRequired = each.part.required === true;
      const json = this.#readJson(each);
      if (json) return [{ name: each.name, shape: json, isRequired, style: "json" }];
      const read = this.#readParameter(each, changes);
      if (each.part.allowEmptyValue === true && !isAnyText(read)) {
        changes.push(`the query parameter ${each.name} is never empty, which allowEmptyValue allows`);
      }
      const shape = isExploded(each) ? read : this.#toList(read, `query parameter ${each.name}`, changes);
      const form = formOf(each, this.#reader.schemas.resolve(shape), this.#reader.schemas);
      if (form === undefined) {
        const text = toOneText(shape, this.#reader.schemas, true);
        if (!isSame(text, shape)) changes.push(`the query parameter ${each.name} is text`);
        return [{ name: each.name, shape: text, isRequired }];
      }
      if (isStyle(form)) return [{ name: each.name, shape: this.#toStyled(shape, form), isRequired, style: form }];
      if (form === "properties") {
        const target = this.#reader.schemas.resolve(shape) as ObjectShape; // formOf() has seen it
        return this.#spread("", target, isRequired, changes);
      }
      changes.push(`the query parameter ${each.name} is one text, ${form}`);
      return [{ name: each.name, shape: withDescription({ kind: "string" }, each.part), isRequired }];
    });
    if (parameters.some((each) => each.part.in === "querystring")) changes.push("the query as a whole is not declared");
    return toSlot(
      withoutParts([...new Map(properties.map((property) => [property.name, property])).values()], changes),
    );
  }

  /** Returns the type of a field with a style: a list of texts, or an object of them. */
  #toStyled(shape: Shape, style: FieldStyle, depth = 0): Shape {
    const target = this.#reader.schemas.resolve(shape);
    if (style !== "deepObject" || target?.kind !== "object" || depth > mostDepth) {
      const own = style !== "deepObject" && target ? withNotes(target, shape) : shape;
      return toOneText(own, this.#reader.schemas, true);
    }
    const { description, deprecated } = shape;
    const below = (each: Shape): Shape => this.#toStyled(each, style, depth + 1);
    return {
      ...target,
      ...(description !== undefined && { description }),
      ...(deprecated && { deprecated }),
      properties: target.properties.map((property) => ({ ...property, shape: below(property.shape) })),
      others: typeof target.others === "object" ? below(target.others) : target.others,
    };
  }

  /** Returns the properties of an object as parameters of their own: `name` or `filter[name]`. */
  #spread(prefix: string, { properties, others }: ObjectShape, isRequired: boolean, changes: string[]): Property[] {
    if (typeof others === "object" || (others === "open" && properties.length === 0)) {
      changes.push(`other parameters of ${prefix || "the query"} are not declared`);
    }
    return properties.flatMap((property) => {
      spend();
      const name = prefix === "" ? property.name : `${prefix}[${property.name}]`;
      const target = this.#reader.schemas.resolve(property.shape);
      const isNeeded = isRequired && property.isRequired;
      if (target?.kind === "object" && prefix.length < mostPrefix) return this.#spread(name, target, isNeeded, changes);
      return [{ name, shape: toOneText(property.shape, this.#reader.schemas, true), isRequired: isNeeded }];
    });
  }

  #readBody({ method, part, place }: Operation, changes: string[]): BodyPlan | undefined {
    if (part.requestBody === undefined) return undefined;
    const { source, schemas } = this.#reader;
    const body = follow(source, memberAt({ part, place }, "requestBody"));
    const contents = this.#contentsOf(body);
    const isRequired = body.part.required === true;
    const type = this.#choose(contents.map((each) => each.type), changes, "request");
    if (type === undefined) return undefined;
    if (method === "get" || method === "head") {
      const name = method.toUpperCase();
      if (isRequired) throw new TypeError(`it requires a body, which fetch does not send with ${name}`);
      changes.push(`the body is not declared: fetch does not send one with ${name}`);
      return undefined;
    }
    const media = contents.find((each) => each.type === type)!; // one of them was chosen
    const located = memberAt(media, "schema");
    const shape = schemas.read(located, "input");
    const encoding = listMembers(source, memberAt(media, "encoding"))
      .map(([name, each]) => [name, follow(source, each).part] as const);
    const content = { type, encoding: toObject(encoding), place: located.place };
    return { ...this.#planContent(content, shape, changes), isOptional: !isRequired };
  }

  /** Returns the representation of a request body. */
  #planContent(
    { type, encoding, place }: { readonly type: string; readonly encoding: Part; readonly place: Place },
    shape: Shape,
    changes: string[],
  ): Omit<BodyPlan, "isOptional"> {
    const { schemas, reporter } = this.#reader;
    const essence = mediaTypeEssence(type);
    if (isJsonType(essence)) return { kind: "json", contentType: toJsonType(type), shape };
    const isForm = essence === "application/x-www-form-urlencoded";
    if (isForm || essence === "multipart/form-data") {
      const object = toOneObject(shape, schemas);
      const raw = object && !isForm ? withFiles(object, encoding, this.#reader.source) : object;
      if (raw && schemas.resolve(shape)?.kind === "union") {
        reporter.dropped(place, "which fields of a form belong together");
      }
      const isJson = (property: Property) =>
        isForm ? isJsonField(encoding, property.name) : isJsonPart(property, encoding, schemas);
      const json = raw?.properties.filter(isJson) ?? [];
      const others = raw && json.length > 0
        ? { ...raw, properties: raw.properties.filter((property) => !json.includes(property)) }
        : raw ?? shape;
      const target = schemas.resolve(toTextShape(others, { schemas, reporter, hasFiles: !isForm }));
      if (target?.kind === "object") {
        const fields = this.#toFields(target, changes, isForm ? encoding : explicitStyles(encoding));
        const properties = withoutParts([...fields.properties, ...json.map(toJsonField)], changes);
        return { kind: isForm ? "form" : "formData", contentType: undefined, shape: { ...fields, properties } };
      }
      changes.push("the fields of the form are not declared");
      const open = { kind: "object", properties: [], others: "open" } as const;
      return { kind: isForm ? "form" : "formData", contentType: undefined, shape: open };
    }
    if (!isPlain(shape)) changes.push(`the body is ${essence}, whose schema is not declared`);
    if (isTextType(essence)) {
      return { kind: "text", contentType: essence === "text/plain" ? undefined : type, shape: { kind: "unknown" } };
    }
    return {
      kind: "bytes",
      contentType: essence === "application/octet-stream" ? undefined : essence,
      shape: { kind: "unknown" },
    };
  }

  /** Plans the fields of a form that are not JSON. An object among them is any text. */
  #toFields(shape: ObjectShape, changes: string[], encoding: Part): ObjectShape {
    const { schemas } = this.#reader;
    return {
      ...shape,
      others: typeof shape.others === "object" ? "open" : shape.others,
      properties: shape.properties.map((property) => {
        const part = memberOf(encoding, property.name);
        const styled = isPart(part) ? { part, content: undefined } : undefined;
        if (styled && !hasKnownStyle(styled)) {
          changes.push(`the field ${property.name} of the form is one text, in the style ${styled.part.style}`);
          return { ...property, shape: withNotes({ kind: "string" }, property.shape) };
        }
        const own = styled && !isExploded(styled)
          ? this.#toList(property.shape, `field ${property.name} of the form`, changes)
          : property.shape;
        const target = schemas.resolve(own);
        const form = styled && !hasFile(target, schemas) ? formOf(styled, target, schemas) : undefined;
        if (isStyle(form)) return { ...property, shape: this.#toStyled(own, form), style: form };
        const field = toField(property.shape, schemas);
        if (!isSame(field, property.shape) && !isSame(field, target)) {
          changes.push(`the field ${property.name} of the form is text`);
        }
        return withoutIdleDefault({
          ...property,
          shape: withoutWrongDefault(withNamedDefault(field, schemas), schemas),
        });
      }),
    };
  }

  #planResponses(operation: Operation, changes: string[]): RoutePlan["responses"] {
    const entries = listMembers(this.#reader.source, memberAt(operation, "responses"))
      .filter(([status]) => !status.startsWith("x-"));
    const planned = entries.flatMap(([status, located]): (readonly [string, ResponsePlan | string])[] => {
      const name = /^[1-5]xx$/i.test(status) ? status.toUpperCase() : status;
      if (!/^([2-5]\d\d|[2-5]XX|default)$/.test(name)) {
        changes.push(`the response ${status} is not declared`);
        return [];
      }
      return [[name, this.#planResponse(name, located, operation, changes)]];
    });
    if (planned.length > 0) return planned;
    changes.push("it has no responses; 200 with any content is declared");
    return [["200", { ...anyContent, description: undefined }]];
  }

  #planResponse(status: string, located: Located, operation: Operation, changes: string[]): ResponsePlan | string {
    const { $ref } = toPart(located.value);
    const found = this.#planContentOf(status, follow(this.#reader.source, located), operation.method, changes);
    const name = typeof $ref === "string" ? nameOfResponse($ref) : undefined;
    if (typeof $ref !== "string" || name === undefined || isBodilessStatus(status)) return found;
    const known = this.#responses.get($ref);
    if (known) return isSame(known.response, found) ? known.identifier : found;
    const identifier = this.#responseNames.takeBinding(toPascalCase(toWords(name)));
    this.#responses.set($ref, { identifier, response: found });
    return identifier;
  }

  #planContentOf(status: string, response: LocatedPart, method: string, changes: string[]): ResponsePlan {
    const { schemas } = this.#reader;
    const headers = this.#planResponseHeaders(status, response, changes);
    const common = { headers, description: toText(response.part.description) };
    const contents = this.#contentsOf(response);
    const type = this.#choose(contents.map((each) => each.type), changes, `response ${status}`);
    if (type === undefined || isBodilessStatus(status)) {
      if (type !== undefined) changes.push(`the response ${status} has no content`);
      return { kind: "empty", contentType: undefined, shape: { kind: "unknown" }, ...common };
    }
    const essence = mediaTypeEssence(type);
    const media = contents.find((each) => each.type === type)!; // one of them was chosen
    const located = memberAt(media, media.part.itemSchema === undefined ? "schema" : "itemSchema");
    const unknown: Shape = { kind: "unknown" };
    if (essence === "text/event-stream" && method !== "head") {
      const shape = schemas.read(this.#findData(located, status, changes), "output");
      return { kind: "sse", contentType: undefined, shape, ...common };
    }
    const shape = schemas.read(located, "output");
    if (isLinesType(essence) && method !== "head") {
      return {
        kind: "ndjson",
        contentType: essence === "application/x-ndjson" ? undefined : essence,
        shape,
        ...common,
      };
    }
    if (isJsonType(essence) && shape.kind !== "file") {
      return { kind: "json", contentType: toJsonType(type), shape, ...common };
    }
    if (essence === "*/*" && shape.kind !== "file" && shape.kind !== "unknown" && shape.kind !== "string") {
      changes.push(`the response ${status} is application/json, not */*`);
      return { kind: "json", contentType: undefined, shape, ...common };
    }
    if (!isPlain(shape)) changes.push(`the response ${status} is ${essence}, whose schema is not declared`);
    if (isTextType(essence)) {
      return { kind: "text", contentType: essence === "text/plain" ? undefined : essence, shape: unknown, ...common };
    }
    const contentType = essence === "application/octet-stream" ? undefined : essence;
    return { kind: "bytes", contentType, shape: unknown, ...common };
  }

  /** Returns the schema of the data of events. Documents describe them as objects, or only their data. */
  #findData(located: Located, status: string, changes: string[]): Located {
    const { part, place } = follow(this.#reader.source, located);
    const { data, ...others } = toPart(part.properties);
    if (data === undefined || Object.keys(others).some((name) => !["event", "id", "retry"].includes(name))) {
      return located;
    }
    const { contentMediaType, contentSchema } = toPart(data);
    if (contentMediaType === "application/json") {
      return { value: contentSchema, place: below(place, "properties", "data", "contentSchema") };
    }
    changes.push(`the events of the response ${status} declare their data, not their other fields`);
    return { value: data, place: below(place, "properties", "data") };
  }

  #planResponseHeaders(status: string, response: LocatedPart, changes: string[]): ObjectShape | undefined {
    const { schemas, source } = this.#reader;
    const properties = new Map<string, Property>();
    for (const [name, located] of listMembers(source, memberAt(response, "headers"))) {
      const field = name.toLowerCase();
      if (!isToken(field) || field === "content-type" || field === "set-cookie") continue;
      const header = follow(source, located);
      const [content] = this.#contentsOf(header);
      const read = schemas.read(memberAt(content ?? header, "schema"), "output");
      const { description } = read;
      const text = toSentText(read, schemas);
      if (text.kind !== schemas.resolve(read)?.kind) {
        const change = `the header ${field} of responses is text`;
        if (!changes.includes(change)) changes.push(change);
      }
      const shape = withDescription(
        { ...text, ...(description !== undefined && { description }) },
        header.part,
      );
      const earlier = properties.get(field);
      if (earlier) changes.push(`the header ${field} of the response ${status} is declared twice; it is one`);
      if (earlier?.isRequired) continue;
      properties.set(field, { name: field, shape, isRequired: header.part.required === true });
    }
    return toSlot([...properties.values()]);
  }

  /** Returns the media type that is declared where there are several. */
  #choose(types: readonly string[], changes: string[], what: string): string | undefined {
    const valid = types.filter((type) => /^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+\s*(;.*)?$/.test(type));
    const [best] = valid.toSorted((one, other) => this.#rank(one) - this.#rank(other));
    if (best === undefined) {
      if (types.length > 0) changes.push(`the ${what} has no valid media type`);
      return undefined;
    }
    const others = types.filter((type) => !valid.includes(type) || mediaTypeEssence(type) !== mediaTypeEssence(best));
    if (others.length > 0) changes.push(`the ${what} is ${best} only, not ${others.join(", ")}`);
    return best;
  }

  #rank(type: string): number {
    const essence = mediaTypeEssence(type);
    const preferred = (this.#reader.options.prefer ?? []).findIndex((each) => mediaTypeEssence(each) === essence);
    if (preferred !== -1) return preferred - 1_000;
    if (essence === "application/json") return type === essence ? 0 : 1;
    if (essence.includes("*")) return 9;
    if (isJsonType(essence)) return essence === "application/json-patch+json" ? 3 : 2;
    if (essence === "multipart/form-data") return 4;
    if (essence === "application/x-www-form-urlencoded") return 5;
    return isTextType(essence) ? 7 : 6;
  }
}

/** A response that the document does not describe. */
const anyContent = { kind: "bytes", contentType: "*/*", shape: { kind: "unknown" }, headers: undefined } as const;

interface Parameter extends LocatedPart {
  readonly name: string;
  /** Its content, if that has a media type of its own. */
  readonly content: Content | undefined;
}

/** The content of a part in one media type. */
interface Content extends LocatedPart {
  readonly type: string;
}

/** Returns the names by which an operation can be asked for: its id, its tags and its path. */
export function namesOf(source: Source, operation: Operation): string[] {
  const id = toText(operation.part.operationId);
  const tags = tagsOf(source, operation);
  return [...(id === undefined ? [] : [id]), tags[0] ?? tagOfPath(operation.path), ...tags, operation.path];
}

function tagsOf(source: Source, operation: Operation): string[] {
  return listItems(source, memberAt(operation, "tags")).flatMap(({ value }) => toText(value) ?? []);
}

/** Returns what stands for the tag of an operation without one: the first literal segment of its path. */
function tagOfPath(path: string): string {
  return path.split("/").find((segment) => segment !== "" && !segment.includes("{") && !/^v\d+$/.test(segment)) ??
    "default";
}

/** Returns the key of a route: its operation id without the name of its group, or its method and path. */
function keyOf({ part, method, path }: Operation, tag: string): string {
  const id = toWords(toText(part.operationId) ?? "");
  if (id.length === 0) {
    const segments = path.split("/").filter((segment) => segment !== "" && segment !== tag);
    const words = segments.flatMap((segment) => {
      const name = /^\{(.*)\}$/.exec(segment)?.[1];
      return name === undefined ? toWords(segment) : ["by", ...toWords(name)];
    });
    return toCamelCase([method, ...words]);
  }
  const group = toWords(tag).map((word) => word.toLowerCase());
  const isPrefixed = group.every((word, index) => id[index]?.toLowerCase() === word) && id.length > group.length;
  return toCamelCase(isPrefixed ? id.slice(group.length) : id);
}

/** Returns the method and the path without the names of parameters, which is what a contract tells routes apart by. */
function shapeOf(method: string, read: Pick<ImportedPath, "path" | "hasTrailingSlash" | "parameters">): string {
  const patterns = read.parameters.flatMap(({ pattern = [] }) => pattern).join("/");
  return `${method} ${pathShape(read.path)}${patterns}${read.hasTrailingSlash ? "/" : ""}`;
}

function isParameter(part: PathParameter["parts"][number] | undefined, name: string): boolean {
  return typeof part === "object" && part.parameter === name;
}

/** Reports that an operation has a server of its own on another host than the document. */
function reportServer(source: Source, operation: Operation, changes: string[]): void {
  if (operation.part.servers === undefined && operation.item.part.servers === undefined) return;
  const { origin } = serverUrlOf(source, operation);
  const shared = serverUrlOf(source, { ...operation, part: {}, item: { ...operation.item, part: {} } });
  if (origin === shared.origin) return;
  const server = origin === localhost ? "the host of the document" : origin;
  changes.push(`its server is ${toOneLine(server)}; pass that as the baseUrl of a client for it`);
}

/** The methods of contracts. */
const methods: ReadonlySet<string> = new Set<RoutePlan["method"]>([
  "get",
  "head",
  "post",
  "put",
  "patch",
  "delete",
  "options",
  "query",
]);

function isMethod(method: string): method is RoutePlan["method"] {
  return methods.has(method);
}

/** Returns the name of a response that several operations can refer to: of a component, or of a file of its own. */
function nameOfResponse(reference: string): string | undefined {
  const isFile = reference.endsWith("#"); // a regular expression would start again at each character
  const last = reference.slice(reference.lastIndexOf("/") + 1);
  if (!isFile && !/\/components\/responses\/[^/]+$/.test(reference)) return undefined;
  const name = isFile ? last.slice(0, -1).split(".", 1)[0]! : last;
  return parseStep(name).at(-1);
}

/** The most levels of an object in one field. */
const mostDepth = 4;

function isStyle(form: string | undefined): form is FieldStyle {
  return form === "comma" || form === "pipe" || form === "space" || form === "deepObject";
}

/** Returns a type with what is said about a reference to it. */
function withNotes(target: Shape, { description, deprecated }: Shape): Shape {
  return { ...target, ...(description !== undefined && { description }), ...(deprecated && { deprecated }) };
}

/** The longest name of a parameter that is read as an object; objects may refer to themselves. */
const mostPrefix = 60;

/**
 * Returns how a query parameter or the field of a form is written: as one with its name (`undefined`), in a style, as
 * one for each property, or as one text, with what it consists of.
 */
function formOf(
  { part, content }: Pick<Parameter, "part" | "content">,
  shape: Shape | undefined,
  schemas: Schemas,
): string | undefined {
  const { style = "form" } = part;
  const explode = isExploded({ part });
  if (content) return `of type ${content.type}`;
  if (!hasKnownStyle({ part })) return `in the style ${style}`;
  if (shape?.kind === "object") {
    if (style === "deepObject") return explode === true ? "deepObject" : "in a form that no standard defines";
    return style === "form" && explode === true ? "properties" : "names and values separated by commas";
  }
  if (hasObject(shape, schemas)) return "an object of several types";
  if (shape?.kind !== "array" || explode === true) return undefined;
  if (style === "pipeDelimited") return "pipe";
  return style === "spaceDelimited" ? "space" : "comma";
}

/** Tests whether a field has a style of OpenAPI, or none. */
function hasKnownStyle({ part: { style = "form" } }: Pick<Parameter, "part">): boolean {
  return ["form", "spaceDelimited", "pipeDelimited", "deepObject"].includes(String(style));
}

/** Tests whether a field is written once for each item. */
function isExploded({ part: { style = "form", explode } }: Pick<Parameter, "part">): boolean {
  return typeof explode === "boolean" ? explode : style === "form" || style === "deepObject";
}

/** Returns the types that a value may have: the members of unions, and the targets of references. */
function listAlternatives(shape: Shape, schemas: Schemas, seen: readonly Shape[] = []): Shape[] {
  const target = schemas.resolve(shape);
  if (target === undefined || seen.includes(target)) return [];
  return target.kind === "union"
    ? target.members.flatMap((member) => listAlternatives(member, schemas, [...seen, target]))
    : [target];
}

function hasObject(shape: Shape | undefined, schemas: Schemas): boolean {
  spend(1 / 10);
  if (shape?.kind !== "union" && shape?.kind !== "intersection") return shape?.kind === "object";
  return shape.members.some((member) => hasObject(schemas.resolve(member), schemas));
}

/** Returns the type of a segment of several parts. With many, each ends where the next text begins, to test them in time. */
function toTemplate(parts: PathParameter["parts"]): Shape {
  if (parts.filter((part) => typeof part !== "string").length > 2) {
    const escape = (text: string) => text.replaceAll(/[\^$\\.*+?()[\]{}|/]/g, "\\$&");
    const pattern = parts.map((part, index) => {
      const next = parts[index + 1];
      if (typeof part === "string") return escape(part);
      return typeof next === "string" ? `[^${escape([...next][0]!)}]+` : "[^]+";
    });
    return { kind: "string", pattern: `^${pattern.join("")}$` };
  }
  return { kind: "template", parts: parts.map((part) => typeof part === "string" ? part : undefined) };
}

function toSlot(properties: readonly Property[]): ObjectShape | undefined {
  return properties.length === 0
    ? undefined
    : { kind: "object", properties: properties.map(withoutIdleDefault), others: "ignored" };
}

/** Removes fields that would be read as parts of others: `filter[name]` beside a `deepObject` with the name `filter`. */
function withoutParts(properties: readonly Property[], changes: string[]): readonly Property[] {
  const styles = Object.fromEntries(properties.map(({ name, style }) => [name, style]));
  return properties.filter(({ name }) => {
    const owner = ownerOf(name, styles);
    if (owner !== undefined) changes.push(`the field ${name} is not declared, because it would be a part of ${owner}`);
    return owner === undefined;
  });
}

/** Removes the default of a required property, which fills nothing in. */
function withoutIdleDefault(property: Property): Property {
  if (!property.isRequired || property.shape.default === undefined) return property;
  const { default: _, ...shape } = property.shape;
  return { ...property, shape: shape as Shape }; // only its default is gone
}

/** Returns a type of one text; that of a list where one is possible. Objects and lists of lists have no text. */
function toOneText(shape: Shape, schemas: Schemas, allowsList = false, seen: readonly Shape[] = []): Shape {
  spend();
  if (shape.kind === "reference") {
    const target = schemas.resolve(shape);
    if (target === undefined || seen.includes(target)) return shape;
    const text = toOneText(target, schemas, allowsList, [...seen, target]);
    return isSame(text, target) ? shape : withNotes(text, shape);
  }
  const { description, deprecated } = shape;
  const notes = { ...(description !== undefined && { description }), ...(deprecated && { deprecated }) };
  if (shape.kind === "array" && allowsList) return { ...shape, items: toOneText(shape.items, schemas, false, seen) };
  if (shape.kind === "union" || shape.kind === "intersection") {
    const members = shape.members.map((member) => toOneText(member, schemas, allowsList, seen));
    if (isSame(members, shape.members)) return shape;
    return shape.kind === "union" ? toUnion(members, notes) : { ...shape, members };
  }
  const isText = ["string", "text", "literal", "unknown", "template", "never"].includes(shape.kind);
  return isText ? shape : { kind: "string", ...notes };
}

/** Returns the text of a response's header, which handlers send as it is. */
function toSentText(shape: Shape, schemas: Schemas): Shape {
  const target = schemas.resolve(shape);
  const isText = target?.kind === "string" ||
    (target?.kind === "literal" && target.values.every((value) => typeof value === "string"));
  const { default: _, ...text } = isText ? target : { kind: "string" } as const;
  return text;
}

/** Returns whether the encoding of a form says that a field is JSON. */
function isJsonField(encoding: Part, name: string): boolean {
  const { contentType } = toPart(memberOf(encoding, name));
  return typeof contentType === "string" && isJsonType(mediaTypeEssence(contentType));
}

function toJsonField(property: Property): Property {
  const { default: _, ...shape } = toJsonShape(property.shape);
  return { ...property, shape: shape as Shape, style: "json" }; // only its default is gone
}

/**
 * Returns the encodings of multipart fields that have a style. The others have a media type, and no style by default.
 */
function explicitStyles(encoding: Part): Part {
  return toObject(
    Object.entries(encoding).filter(([, part]) =>
      toPart(part).style !== undefined || toPart(part).explode !== undefined
    ),
  );
}

function hasFile(target: Shape | undefined, schemas: Schemas): boolean {
  return target?.kind === "file" || (target?.kind === "array" && schemas.resolve(target.items)?.kind === "file");
}

function toField(shape: Shape, schemas: Schemas): Shape {
  const target = schemas.resolve(shape);
  if (hasFile(target, schemas)) return shape;
  return toOneText(target?.kind === "array" || target?.kind === "object" ? target : shape, schemas, true);
}

/** Returns a reference with the default of its schema. Schemas only describe theirs, but a field fills it in. */
function withNamedDefault(shape: Shape, schemas: Schemas): Shape {
  const fallback = shape.kind === "reference" ? schemas.resolve(shape)?.default : undefined;
  return fallback === undefined ? shape : { ...shape, default: shape.default ?? fallback };
}

function withoutWrongDefault(shape: Shape, schemas: Schemas): Shape {
  if (shape.default === undefined || isOfShape(shape, shape.default, schemas)) return shape;
  const { default: _, ...rest } = shape;
  return rest as Shape;
}

function withDescription(shape: Shape, { description }: Part): Shape {
  const text = toText(description);
  return text === undefined ? shape : { ...shape, description: text };
}

/** Returns whether a schema says no more than that content is text or bytes. */
function isPlain(shape: Shape): boolean {
  return shape.kind === "unknown" || shape.kind === "file" || isAnyText(shape);
}

function isBodilessStatus(status: string): boolean {
  return ["204", "205", "304"].includes(status);
}

function isJsonType(essence: string): boolean {
  return /[/+]json$/.test(essence) && !isLinesType(essence);
}

function isLinesType(essence: string): boolean {
  return [
    "application/x-ndjson",
    "application/ndjson",
    "application/jsonl",
    "application/x-jsonlines",
    "application/stream+json",
  ]
    .includes(essence);
}

function isTextType(essence: string): boolean {
  return /^text\/(?!\*)/.test(essence) || /[/+](xml|yaml|x-yaml|javascript|csv|toml|sql|sdp|graphql)$/.test(essence);
}

/** Returns the media type of JSON as it is declared: none if it is the usual one. A range stands for the usual one. */
function toJsonType(type: string): string | undefined {
  const essence = mediaTypeEssence(type);
  const isUsual = essence === "application/json" && /^[^;]*(;\s*charset=[^;]*)?$/i.test(type);
  return isUsual || essence.includes("*") ? undefined : type.trim();
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
