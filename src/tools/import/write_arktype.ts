/** Writes schemas of ArkType. */
import {
  callCode,
  type Code,
  type Item,
  listCode,
  literalCode,
  objectCode,
  propertyName,
  quote,
} from "../code/print.ts";
import { hasIncluded, objectsOf } from "./included.ts";
import { isOfObjects } from "./intersect.ts";
import { fitsBounds, mayOverlap } from "./overlap.ts";
import {
  type CycleMember,
  lostOthers,
  patternCode,
  type SchemaWriter,
  toCheckable,
  toTextCode,
  type WriteOptions,
} from "./writer.ts";
import {
  type ArrayModel,
  behind,
  hasOthers,
  identityOf,
  isConverted,
  type LiteralModel,
  mapInner,
  type Model,
  type NumberModel,
  type ObjectModel,
  type Property,
  type StringModel,
  type TemplateModel,
  toUnion,
  type TupleModel,
  type UnionModel,
} from "./model.ts";
import { describe } from "./write_types.ts";

/** ArkType: https://arktype.io */
export const arktype: SchemaWriter = {
  name: "arktype",
  imports: 'import { type } from "arktype";',
  helper: {
    file: "text",
    names: ["fromText", "toText"],
    code: `import { type } from "arktype";

/** Converts the text of a parameter. A program can pass the value itself. */
export function fromText<const Definition>(
  definition: type.validate<Definition>,
): type<(In: string | type.infer.In<Definition>) => import("arktype").Out<type.infer<Definition>>> {
  const value = type.raw(definition);
  return type.schema({
    in: plain,
    declaredIn: value.in,
    declaredOut: value.out,
    morphs: (text: unknown) => {
      const converted = convert(text);
      const checked = value(converted);
      return converted !== text && checked instanceof type.errors && value.allows(text) ? text : checked;
    },
  } as never) as never; // what is converted is not known to types
}

const plain = type("string | number | boolean | null | object");

function convert(text: unknown): unknown {
  if (typeof text !== "string" || text.trim() === "") return text;
  if (text === "true" || text === "false") return text === "true";
  return Number.isFinite(Number(text)) ? Number(text) : text;
}
${toTextCode}`,
  },
  typeOf: (identifier) => `typeof ${identifier}.infer`,
  annotate: (type) => `type<${type}>`,
  types: {
    absent: "",
    empty: { closed: "Record<never, never>", ignored: "Record<string, unknown>" },
    hasTemplates: false,
    toCheckable: (property) => isInexpressible(property.name) ? undefined : toCheckable(property, silent),
    hasOthers: (object) => !areOthersLost(object),
    isNever: (model, modelOf) => model.kind !== "never" && isNever(define(model, { ...silent, modelOf })),
  },
  notes: (modelOf) => ({
    hasIntersections: false,
    listMembers: () => undefined,
    reduces: ({ members }) => isDivided(members) || hasIncluded(members, modelOf),
  }),
  write: (model, { identifier, ...options }) => typeCode(withAlias(define(model, options), model, identifier)),
  slot: (model, options) => typeCode(defineObject(model, options, true)),
  cycle: (members, options) => cycleCode(members, options),
};

/** Options with which a definition is only asked what it is. */
const silent: Omit<WriteOptions, "modelOf"> = {
  nameOf: () => "Named",
  isLater: () => false,
  isTold: () => false,
  lose: () => {},
  useDate: () => "Date",
};

/** A definition: an expression in a text, any other one, or a type, which has methods. */
type Definition = Expression | Other;

/** `"string[] <= 5"`: the text, and how tightly its last operator binds. */
interface Expression {
  readonly kind: "expression";
  readonly text: string;
  readonly binding: "operand" | "range" | "operation";
  /** Whether it has names that only the types of a cycle know. */
  readonly isScoped: boolean;
}

/** A literal, `{ name: "string" }`, `["string", "number"]` or `/^a/u`, or a type, `User` or `User.array()`. */
interface Other {
  readonly kind: "literal" | "type";
  readonly code: Code;
  readonly isScoped: boolean;
}

/** The longest expression that is written as text; types of longer ones take long to check. */
const longestExpression = 100;

function expression(text: string, binding: Expression["binding"] = "operand", isScoped = false): Expression {
  return { kind: "expression", text, binding, isScoped };
}

function literalOf(code: Code, ...parts: readonly Definition[]): Other {
  return { kind: "literal", code, isScoped: parts.some(({ isScoped }) => isScoped) };
}

function typeOf(code: Code): Other {
  return { kind: "type", code, isScoped: false };
}

/** Returns what stands where a definition is expected. */
function definitionCode(definition: Definition): Code {
  return definition.kind === "expression" ? quote(definition.text) : definition.code;
}

/** Returns a type with methods. */
function typeCode(definition: Definition): Code {
  return definition.kind === "type" ? definition.code : ["type(", definitionCode(definition), ")"];
}

function define(model: Model, options: WriteOptions): Definition {
  const definition = defineCore(model, options);
  const hasDefault = model.default !== undefined;
  if (hasDefault && definition.isScoped) options.lose(model, "the default of a schema that refers to itself");
  return !hasDefault || definition.isScoped
    ? definition
    : withMeta(definition, objectCode([{ code: ["default: ", literalCode(model.default)] }]));
}

function defineCore(model: Model, options: WriteOptions): Definition {
  switch (model.kind) {
    case "unknown":
    case "never":
    case "null":
    case "boolean":
      return expression(model.kind);
    case "string":
      return defineString(model);
    case "file":
      return expression(options.hasFiles ? "File" : "string");
    case "number":
      return defineNumber(model, options);
    case "literal":
      return defineLiteral(model);
    case "array":
      return defineArray(model, options);
    case "tuple":
      return defineTuple(model, options);
    case "object":
      return defineObject(model, options);
    case "union":
      reportIncluded(model, options);
      return model.members.some(isConverted)
        ? defineConverted(model, options)
        : combine("|", model.members.map((member) => define(member, options)));
    case "intersection":
      return defineIntersection(model.members, options);
    case "reference":
      return options.isLater(model.key)
        ? expression(options.nameOf(model.key), "operand", true)
        : typeOf(options.nameOf(model.key));
    case "text":
      return typeOf(["fromText(", definitionCode(defineCore(model.of, options)), ")"]);
    case "template":
      return defineTemplate(model);
  }
}

/** Formats that are checked, as the definitions of texts. */
const formats: Readonly<Record<string, Definition>> = {
  "date-time": withFormat(expression("string.date.iso"), "date-time"),
  date: withFormat(literalOf("/^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$/u"), "date"),
  email: expression("string.email"),
  uuid: withFormat(literalOf("/^[\\dA-Fa-f]{8}(-[\\dA-Fa-f]{4}){3}-[\\dA-Fa-f]{12}$/u"), "uuid"),
  ipv4: expression("string.ip.v4"),
  ipv6: expression("string.ip.v6"),
};

function defineString({ format, minLength, maxLength, pattern }: StringModel): Definition {
  const known = format === undefined || !Object.hasOwn(formats, format) ? undefined : formats[format];
  if (known && pattern === undefined && minLength === undefined && maxLength === undefined) return known;
  const text = withRange(expression("string"), { minimum: minLength, maximum: maxLength });
  const bounded = pattern === undefined || isNever(text)
    ? text
    : text.binding === "operand"
    ? literalOf(patternCode(pattern))
    : combine("&", [literalOf(patternCode(pattern)), text]);
  return format === undefined ? bounded : withFormat(bounded, format);
}

/** Adds the name of a schema, by which documents tell it from equal ones. */
function withAlias(definition: Definition, { kind }: Model, identifier: string | undefined): Definition {
  const isNamed = identifier !== undefined && kind !== "reference";
  return isNamed ? withMeta(definition, `{ alias: ${quote(identifier)} }`) : definition;
}

function withFormat(definition: Definition, format: string): Definition {
  return withMeta(definition, `{ format: ${quote(format)} }`);
}

/** Adds what a definition says about its values, and not about those of its parts. */
function withMeta(definition: Definition, meta: Code): Definition {
  return literalOf(listCode([definitionCode(definition), '"@"', meta, '"self"']), definition);
}

function defineNumber(number: NumberModel, { lose }: WriteOptions): Expression {
  const { isInteger, multipleOf, ...model } = number;
  if (multipleOf !== undefined && !Number.isSafeInteger(multipleOf)) lose(number, `multipleOf ${multipleOf}`);
  const { minimum, maximum } = model;
  if (minimum !== undefined && minimum === maximum && !fitsBounds(number, minimum)) return expression("never");
  const isDivisible = multipleOf !== undefined && Number.isSafeInteger(multipleOf) && multipleOf > 1;
  const start = isDivisible ? `number % ${multipleOf}` : isInteger || multipleOf === 1 ? "number.integer" : "number";
  return withRange(expression(start, isDivisible ? "range" : "operand"), model);
}

type Range = Pick<NumberModel, "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum">;

function withRange(definition: Expression, range: Range): Expression {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = range;
  const isAbove = exclusiveMinimum !== undefined && exclusiveMinimum >= (minimum ?? -Infinity);
  const isBelow = exclusiveMaximum !== undefined && exclusiveMaximum <= (maximum ?? Infinity);
  const least = isAbove ? exclusiveMinimum : minimum;
  const most = isBelow ? exclusiveMaximum : maximum;
  if (least !== undefined && most !== undefined) {
    if (least > most || (least === most && (isAbove || isBelow))) return expression("never");
    if (least === most) return expression(`${definition.text} == ${formatNumber(least)}`, "range", definition.isScoped);
  }
  const lower = least === undefined ? "" : `${formatNumber(least)} ${isAbove ? "<" : "<="} `;
  const upper = most === undefined ? "" : ` ${isBelow ? "<" : "<="} ${formatNumber(most)}`;
  if (lower === "" && upper === "") return definition;
  const text = upper === ""
    ? `${definition.text} ${isAbove ? ">" : ">="} ${formatNumber(least!)}`
    : `${lower}${definition.text}${upper}`;
  return expression(text, "range", definition.isScoped);
}

/** Returns a number without an exponent, which expressions do not have. */
function formatNumber(value: number): string {
  const text = String(value);
  if (!text.includes("e")) return text === "-0" ? "0" : text;
  if (Math.abs(value) > 1) return BigInt(value).toString();
  const [digits = "", exponent] = text.split("e-");
  return value.toFixed(Math.min(100, digits.replace(/^-?\d\.?/, "").length + Number(exponent)));
}

function defineLiteral({ values }: LiteralModel): Definition {
  const text = values.map((value) => typeof value === "string" ? `'${value}'` : String(value)).join(" | ");
  if (values.every(isPlainLiteral) && text.length <= longestExpression) {
    return expression(text, values.length > 1 ? "operation" : "operand");
  }
  const list = values.map(literalCode);
  return typeOf(
    list.length === 1 ? ["type.unit(", list[0]!, ")"] : callCode("type.enumerated", ...list),
  );
}

/** Returns whether a value can be written in an expression without being escaped. */
function isPlainLiteral(value: string | number | boolean): boolean {
  if (typeof value === "string") return /^[^'"\\\p{C}\p{Zl}\p{Zp}]*$/u.test(value);
  return typeof value === "boolean" || /^(?:0|-?[1-9]\d{0,14}|-?\d{1,9}\.\d{1,6})$/.test(String(value));
}

function defineArray({ items, minItems, maxItems }: ArrayModel, options: WriteOptions): Definition {
  if ((minItems ?? 0) > (maxItems ?? Infinity)) return expression("never");
  const item = define(items, options);
  const range = { minimum: minItems, maximum: maxItems };
  if (item.kind === "expression") {
    const text = item.binding === "operand" ? item.text : `(${item.text})`;
    return withRange(expression(`${text}[]`, "operand", item.isScoped), range);
  }
  if (!item.isScoped) return typeOf([typeCode(item), ".array()", ...lengthCode(minItems, maxItems)]);
  const list = literalOf(listCode([definitionCode(item), '"[]"']), item);
  const bounds = withRange(expression("unknown[]"), range);
  return minItems === undefined && maxItems === undefined
    ? list
    : literalOf(listCode([definitionCode(list), '"&"', definitionCode(bounds)]), list);
}

/** Returns the methods that limit the length of a list. */
function lengthCode(least = 0, most = Infinity): string[] {
  if (least === most) return [`.exactlyLength(${least})`];
  return [...(least > 0 ? [`.atLeastLength(${least})`] : []), ...(most < Infinity ? [`.atMostLength(${most})`] : [])];
}

function defineTuple({ items, rest }: TupleModel, options: WriteOptions): Definition {
  const defined = items.map((item) => define(item, options));
  const further = rest ? [defineArray({ kind: "array", items: rest }, options)] : [];
  const codes = [
    ...defined.map(definitionCode),
    ...further.flatMap((each): Code[] => ['"..."', definitionCode(each)]),
  ];
  return literalOf(listCode(codes), ...defined, ...further);
}

/** Returns the definition of what is of one of several types, or of all of them. */
function combine(operator: "|" | "&", definitions: readonly Definition[]): Definition {
  const possible = definitions.filter((definition) => !isNever(definition));
  const isImpossible = operator === "&" ? possible.length < definitions.length : possible.length === 0;
  if (isImpossible) return expression("never"); // ArkType throws for an intersection with it
  const scoped = possible.filter(({ isScoped }) => isScoped);
  const free = possible.filter(({ isScoped }) => !isScoped);
  if (scoped.length === 0) return combineFree(operator, free);
  const expressions = scoped.filter(({ kind }) => kind === "expression") as Expression[];
  const others = scoped.filter(({ kind }) => kind !== "expression");
  return [
    ...(free.length > 0 ? [combineFree(operator, free)] : []),
    ...(expressions.length > 0 ? [join(operator, expressions)] : []),
    ...others,
  ].reduce((one, other) =>
    literalOf(listCode([definitionCode(one), quote(operator), definitionCode(other)]), one, other)
  );
}

function isNever(definition: Definition): boolean {
  return definition.kind === "expression" && definition.text === "never";
}

/** Combines definitions that can be used outside of a cycle. */
function combineFree(operator: "|" | "&", definitions: readonly Definition[]): Definition {
  const [first, second, ...rest] = definitions;
  if (second === undefined) return first!;
  if (definitions.every(({ kind }) => kind === "expression")) {
    const joined = join(operator, definitions as readonly Expression[]);
    if (joined.text.length <= longestExpression) return joined;
  }
  const method = operator === "|" ? "or" : "and";
  return rest.length === 0
    ? typeOf([typeCode(first!), `.${method}(`, definitionCode(second), ")"])
    : typeOf(callCode(`type.${method}`, ...definitions.map(definitionCode)));
}

/**
 * Returns an intersection. Where a type allows any other property and another one none, ArkType would require the
 * optional properties, so what other types allow is not repeated.
 */
function defineIntersection(members: readonly Model[], options: WriteOptions): Definition {
  if (members.some(isConverted)) { // which ArkType refuses, so one conversion is for all of it
    const plain = members.map((member) => withoutConversion(behind(member, options.modelOf)));
    return typeOf(["fromText(", definitionCode(defineIntersection(plain, options)), ")"]);
  }
  if (!mayOverlap(members, options.modelOf)) return expression("never");
  const possible = members.map((member, index) => { // without what has no value in common, for which ArkType may throw
    if (member.kind !== "union") return member;
    const others = members.toSpliced(index, 1);
    return { ...member, members: member.members.filter((each) => mayOverlap([each, ...others], options.modelOf)) };
  });
  const closed = possible.map((member) => withoutOpen(member, options));
  const isMixed = closed.some((member) => hasOthers(member, (others) => others === "closed", options.modelOf)) &&
    closed.some((member) =>
      hasOthers(member, (others) => others === "open" || typeof others === "object", options.modelOf)
    );
  if (isMixed) options.lose(members[0]!, "additionalProperties: false beside a part of allOf that allows others");
  const said = isMixed ? closed.map((member) => withoutClosed(member, options)) : closed;
  const kept = said.filter((member) => !isAnyObject(member));
  const needsObject = kept.length < said.length &&
    !kept.some((member) => isOfObjects(member, { resolve: (each) => behind(each, options.modelOf) }) === true);
  const all = needsObject ? [said.find(isAnyObject)!, ...kept] : kept;
  return combine("&", all.map((member) => defineJoined(member, options)));
}

/** Returns a type without saying that other properties are possible. */
function withoutOpen(model: Model, options: WriteOptions): Model {
  if (model.kind === "union") return mapInner(model, (each) => withoutOpen(each, options));
  if (model.kind !== "object") return model;
  const isLost = areOthersLost(model);
  if (isLost) options.lose(model, lostOthers);
  return isLost || model.others === "open" ? { ...model, others: "ignored" } : model;
}

/** Returns a type whose objects may have other properties. */
function withoutClosed(model: Model, options: WriteOptions): Model {
  if (model.kind === "union") return mapInner(model, (each) => withoutClosed(each, options));
  const target = behind(model, options.modelOf);
  return target.kind === "object" && target.others === "closed" ? { ...target, others: "ignored" } : model;
}

/** Returns whether other properties are of a type that properties are not of, which an index signature cannot say. */
function areOthersLost({ properties, others }: ObjectModel): boolean {
  if (typeof others !== "object" || properties.length === 0) return false;
  return isConverted(others) || !properties.every(({ model }) => identityOf(model) === identityOf(others));
}

/** Returns a part of an intersection. */
function defineJoined(model: Model, options: WriteOptions): Definition {
  if (isAnyObject(model)) return expression("object");
  if (model.kind === "union") reportIncluded(model, options);
  return model.kind === "union" && !isConverted(model)
    ? combine("|", model.members.map((member) => defineJoined(member, options)))
    : define(model, options);
}

function isAnyObject(model: Model): boolean {
  return model.kind === "object" && model.properties.length === 0 && model.others === "ignored";
}

function join(operator: "|" | "&", expressions: readonly Expression[]): Expression {
  const [first, second] = expressions;
  if (second === undefined) return first!;
  const texts = expressions.map(({ text, binding }) =>
    binding === "operand" || (binding === "operation" && operator === "|") ? text : `(${text})`
  );
  return expression(texts.join(` ${operator} `), "operation", expressions.some(({ isScoped }) => isScoped));
}

/** Reports an object that another one of a union includes: ArkType leaves it out, with its other properties. */
function reportIncluded(union: UnionModel, options: WriteOptions): void {
  const objects = union.members.flatMap((member) => objectsOf(member, options.modelOf));
  if (hasIncluded(objects, options.modelOf)) {
    options.lose(union, "the properties of an object that another one of a union includes");
  }
}

/** Returns whether a union or a list of values is beside other types: ArkType takes each part for a member of its own. */
function isDivided(members: readonly Model[]): boolean {
  const present = members.filter(({ kind }) => kind !== "null");
  const hasSeveral = (member: Model) =>
    member.kind === "union" || (member.kind === "literal" && member.values.length > 1);
  return present.length > 1 && present.some(hasSeveral);
}

/**
 * Returns a union with members whose text is converted. ArkType refuses several that can have the same text, so one
 * conversion is for all members, and one for the items of all lists. Several objects cannot be told apart.
 */
function defineConverted(union: UnionModel, options: WriteOptions): Definition {
  const members = union.members.map((member) => behind(member, options.modelOf));
  const lists = members.filter((member) => member.kind === "array");
  const objects = members.filter(({ kind }) => kind === "object" || kind === "tuple");
  const texts = members.filter(({ kind }) => kind !== "array" && kind !== "object" && kind !== "tuple");
  if (objects.length > 1) {
    options.lose(union, "a union of several objects");
    return expression("unknown");
  }
  if (lists.length > 1) options.lose(union, "which of several lists a value is");
  const values = toUnion(texts.map(withoutConversion));
  const list: Model[] = lists.length > 1 ? [{ kind: "array", items: toUnion(lists.map(({ items }) => items)) }] : lists;
  const all = combine("|", [
    ...(texts.length > 0 ? [define(values, options)] : []),
    ...[...list, ...objects].map((member) => define(member, options)),
  ]);
  return texts.some(isConverted) ? typeOf(["fromText(", definitionCode(all), ")"]) : all;
}

/** Returns the type of what text is converted to. */
function withoutConversion(model: Model): Model {
  if (model.kind === "text") return model.of;
  return model.kind === "union" || model.kind === "intersection" ? mapInner(model, withoutConversion) : model;
}

function defineTemplate({ parts }: TemplateModel): Definition {
  const source = parts.map((part) => part === undefined ? ".+" : part.replaceAll(/[\^$\\.*+?()[\]{}|/]/g, "\\$&"));
  return literalOf(`/${new RegExp(`^${source.join("")}$`, "u").source}/u`);
}

/** Defines an object. Only the properties of a slot have defaults. */
function defineObject(object: ObjectModel, options: WriteOptions, isSlot = false): Definition {
  const inexpressible = object.properties.filter(({ name }) => isInexpressible(name));
  for (const { name, model } of inexpressible) options.lose(model, `the property ${quote(name)}`);
  const written = object.properties.filter((property) => !inexpressible.includes(property)).map((property) =>
    defineProperty(property, options, isSlot)
  );
  if (!object.properties.some(({ isRequired }) => isRequired) && !isSlot) {
    options.lose(object, "that an object is not an array");
  }
  const isOpened = inexpressible.length > 0 && object.others === "closed";
  const rest = restOf(isOpened ? { ...object, others: "ignored" } : object, options);
  if (!isSlot && written.some(({ isImpossible }) => isImpossible)) return expression("never");
  const items = written.map(({ item }) => item);
  const code = objectCode(rest?.isFirst ? [rest.item, ...items] : [...items, ...(rest ? [rest.item] : [])]);
  const isScoped = rest?.isScoped === true || written.some((each) => each.isScoped);
  const isText = object.properties.some(({ name }) => name === "toString"); // a list would convert it to text
  return isText && !isScoped ? typeOf(["type(", code, ")"]) : { kind: "literal", code, isScoped };
}

/** Returns what an object has besides its properties; `isFirst` if it stands before them. */
function restOf(
  object: ObjectModel,
  options: WriteOptions,
): { readonly item: Item; readonly isScoped: boolean; readonly isFirst?: true } | undefined {
  const { properties, others } = object;
  if (others === "closed") return { item: { code: '"+": "reject"' }, isScoped: false, isFirst: true };
  if (others === "ignored" && properties.length > 0) return undefined;
  const isLost = areOthersLost(object);
  if (isLost) options.lose(object, lostOthers);
  if (others === "ignored") {
    options.lose(object, "additionalProperties of an object without properties");
  }
  const type = typeof others === "object" && !isLost ? define(others, options) : expression("unknown");
  return { item: { code: ['"[string]": ', definitionCode(type)] }, isScoped: type.isScoped };
}

/** Returns whether the first character of a name would be taken for an escape. */
function isInexpressible(name: string): boolean {
  return name === "\\..." || name === "\\+" || /^\\\[.*\]$/s.test(name);
}

function defineProperty(
  property: Property,
  options: WriteOptions,
  isSlot: boolean,
): { readonly item: Item; readonly isScoped: boolean; readonly isImpossible: boolean } {
  const { name, model, isRequired } = toCheckable(property, options);
  const isDefault = isSlot && model.default !== undefined;
  const value = define(isDefault ? { ...model, default: undefined } : model, options);
  const isPlain = /^[^?[+.\\][^?\\]*$/.test(name);
  const isOptional = !isRequired && !isDefault;
  const key = isPlain ? propertyName(isOptional ? `${name}?` : name) : quote(escapeKey(name));
  const code = isDefault
    ? withDefault(value, model.default)
    : isOptional && !isPlain
    ? listCode([definitionCode(value), '"?"'])
    : definitionCode(value);
  const isImpossible = isRequired && isNever(value);
  return { isScoped: value.isScoped, isImpossible, item: { comment: describe(model), code: [`${key}: `, code] } };
}

/** Returns the key of a required property that is not plain. */
function escapeKey(name: string): string {
  if (name.endsWith("?")) return `${name.slice(0, -1)}\\?`;
  return name === "..." || name === "+" || /^\[.*\]$/s.test(name) ? `\\${name}` : name;
}

function withDefault(definition: Definition, value: Model["default"]): Code {
  const literal = literalCode(value);
  if (typeof value === "object" && value !== null) {
    return [typeCode(definition), ".default(() => ", Array.isArray(value) ? literal : ["(", literal, ")"], ")"];
  }
  if (definition.kind === "type") return [definition.code, ".default(", literal, ")"];
  const isPlain = value === null || (value !== undefined && isPlainLiteral(value));
  return definition.kind === "expression" && isPlain
    ? quote(`${definition.text} = ${typeof value === "string" ? `'${value}'` : String(value)}`)
    : listCode([definitionCode(definition), '"="', literal]);
}

function cycleCode(members: readonly CycleMember[], options: WriteOptions): Code {
  const items = members.map(({ identifier, model }) => ({
    code: [
      `${propertyName(identifier)}: `,
      definitionCode(withAlias(define(model, options), model, identifier)),
    ] satisfies Code,
  }));
  return ["type.module(", objectCode(items), ")"];
}
