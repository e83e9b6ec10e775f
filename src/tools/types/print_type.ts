/** Prints types of TypeScript as text that stands on its own. */
import type ts from "typescript";
import { commentLines, propertyName, quote } from "../code/print.ts";
import type { ModuleNames } from "./module_names.ts";

/** What types are printed with. */
export interface TypePrinterOptions {
  readonly ts: typeof ts;
  readonly checker: ts.TypeChecker;
  readonly names: ModuleNames;
  /** Says that a part of the contract cannot be written. */
  readonly fail: (state: string) => never;
}

/** Types within each other, beyond which a type is taken for endless. */
const mostLevels = 60;

/**
 * Prints types. What refers to itself becomes an interface of its own, and what has a name that other modules can import
 * is imported.
 */
export class TypePrinter {
  protected readonly options: TypePrinterOptions;
  /** The objects that are being printed, each with the name that it gets if it refers to itself. */
  readonly #open = new Map<ts.Type, { name: string | undefined }>();
  /** The names of the objects that refer to themselves. */
  readonly #named = new Map<ts.Type, string>();
  readonly #interfaces: string[] = [];

  constructor(options: TypePrinterOptions) {
    this.options = options;
  }

  /** The declarations of the interfaces that the printed types name. */
  get interfaces(): readonly string[] {
    return this.#interfaces;
  }

  /** Returns the text of a type. */
  print(type: ts.Type): string {
    const { ts, checker, fail } = this.options;
    const { TypeFlags: flags } = ts;
    if (type.isUnionOrIntersection()) return this.#printMembers(type);
    if (type.flags & flags.EnumLike) return this.#requireName(type.symbol);
    if (type.isStringLiteral()) return quote(type.value);
    if (type.flags & plainFlags(ts)) return checker.typeToString(type);
    if (type.flags & flags.TemplateLiteral) return this.#printTemplate(type as ts.TemplateLiteralType);
    if (type.flags & flags.UniqueESSymbol) return `typeof ${this.#requireName(type.symbol)}`;
    if (type.flags & flags.Object) return this.#printObject(type as ts.ObjectType);
    return fail(`the type ${checker.typeToString(type)} is not yet known`);
  }

  #printMembers(type: ts.UnionOrIntersectionType): string {
    const { ts, checker } = this.options;
    const alias = this.#aliasOf(type);
    if (alias !== undefined) return alias;
    if (type.flags & ts.TypeFlags.EnumLike) return this.#requireName(type.symbol);
    const isUnion = type.isUnion();
    // with `exactOptionalPropertyTypes`, what an optional property lacks is another type than `undefined`
    const isPresent = (each: ts.Type) => !(each.flags & ts.TypeFlags.Undefined) || each === checker.getUndefinedType();
    const members: readonly (ts.Type | "boolean")[] = isUnion
      ? mergeBooleans(type.types.filter(isPresent), ts)
      : (type as ts.UnionOrIntersectionType).types;
    const texts = members.map((member) => {
      if (typeof member === "string") return member;
      const text = this.print(member);
      const isLoose = member.isUnion() || (isUnion && isFunction(member, checker));
      return isLoose && members.length > 1 ? `(${text})` : text;
    });
    return isUnion ? sortUnion(texts).join(" | ") : texts.join(" & ");
  }

  #printTemplate({ texts, types }: ts.TemplateLiteralType): string {
    const escape = (text: string) => quote(text).slice(1, -1).replaceAll('\\"', '"').replaceAll(/[`$]/g, "\\$&");
    const parts = types.map((type, index) => `\${${this.print(type)}}${escape(texts[index + 1]!)}`);
    return `\`${escape(texts[0]!)}${parts.join("")}\``;
  }

  #printObject(type: ts.ObjectType): string {
    const { ts, checker } = this.options;
    if (checker.isTupleType(type)) return this.#printTuple(type as ts.TypeReference);
    const alias = this.#aliasOf(type);
    if (alias !== undefined) return alias;
    const isDeclared = type.isClassOrInterface() || (type.objectFlags & ts.ObjectFlags.Reference) !== 0;
    const name = isDeclared ? this.#nameOf(type.symbol) : undefined;
    if (name !== undefined) {
      const all = checker.getTypeArguments(type as ts.TypeReference);
      const { target = type } = type as Partial<ts.TypeReference>;
      const count = (target as ts.InterfaceType).typeParameters?.length ?? 0; // the last one may be `this`
      return this.#withArguments(name, all.slice(0, count));
    }
    if (isDeclared && type.symbol.flags & ts.SymbolFlags.Class) return this.#requireName(type.symbol);
    return this.#printStructure(type);
  }

  /** Returns the name of an alias of the project. Those of libraries are steps of their own. */
  #aliasOf({ aliasSymbol, aliasTypeArguments }: ts.Type): string | undefined {
    if (aliasSymbol === undefined || !this.options.names.isOwn(aliasSymbol)) return undefined;
    const name = this.#nameOf(aliasSymbol);
    return name && this.#withArguments(name, aliasTypeArguments);
  }

  #withArguments(name: string, types: readonly ts.Type[] = []): string {
    return types.length === 0 ? name : `${name}<${types.map((each) => this.print(each)).join(", ")}>`;
  }

  #printTuple(type: ts.TypeReference): string {
    const { ts, checker } = this.options;
    const { elementFlags, readonly: isReadonly } = type.target as ts.TupleType;
    const items = checker.getTypeArguments(type).map((item, index) => {
      const text = this.print(item);
      const flag = elementFlags[index]!;
      if (flag & ts.ElementFlags.Rest) return `...Array<${text}>`;
      if (flag & ts.ElementFlags.Variadic) return `...${text}`;
      return flag & ts.ElementFlags.Optional ? `(${text})?` : text;
    });
    return `${isReadonly ? "readonly " : ""}[${items.join(", ")}]`;
  }

  /** Prints the members of an object, which may refer to itself. */
  #printStructure(type: ts.ObjectType): string {
    const { checker, names, fail } = this.options;
    const named = this.#named.get(type);
    if (named !== undefined) return named;
    const open = this.#open.get(type);
    if (open) return open.name ??= names.take(suggestName(type));
    if (this.#open.size > mostLevels) fail(`the type ${checker.typeToString(type)} has no end`);
    const own: { name: string | undefined } = { name: undefined };
    this.#open.set(type, own);
    const text = this.#printShape(type);
    this.#open.delete(type);
    if (own.name === undefined) return text;
    this.#named.set(type, own.name);
    this.#interfaces.push(text.startsWith("{") ? `interface ${own.name} ${text}` : `type ${own.name} = ${text};`);
    return own.name;
  }

  #printShape(type: ts.ObjectType): string {
    const { ts, checker, fail } = this.options;
    const calls = checker.getSignaturesOfType(type, ts.SignatureKind.Call);
    const members = sortMembers(checker.getPropertiesOfType(type));
    const [call] = calls;
    if (checker.getSignaturesOfType(type, ts.SignatureKind.Construct).length > 0 || calls.length > 1) {
      return fail(`the type ${checker.typeToString(type)} is that of a function or a class`);
    }
    if (call !== undefined && members.length === 0) return this.#printFunction(call);
    const lines = [
      ...members.map((member) => this.#printProperty(member)),
      ...checker.getIndexInfosOfType(type).map(({ keyType, type: value, isReadonly }) =>
        `${isReadonly ? "readonly " : ""}[key: ${this.print(keyType)}]: ${this.print(value)};`
      ),
    ];
    return lines.length === 0 ? "Record<never, never>" : `{\n${indent(lines.join("\n"))}\n}`;
  }

  #printFunction(call: ts.Signature): string {
    const { checker, fail } = this.options;
    if (call.typeParameters) return fail("a generic function has no place in a contract");
    const parameters = call.parameters.map((each) => {
      const isOptional = each.valueDeclaration !== undefined && "questionToken" in each.valueDeclaration &&
        each.valueDeclaration.questionToken !== undefined;
      return `${each.name}${isOptional ? "?" : ""}: ${this.print(checker.getTypeOfSymbol(each))}`;
    });
    return `(${parameters.join(", ")}) => ${this.print(call.getReturnType())}`;
  }

  #printProperty(member: ts.Symbol): string {
    const { ts, checker } = this.options;
    const isOptional = (member.flags & ts.SymbolFlags.Optional) !== 0;
    const isReadonly = isReadonlyMember(member, ts);
    const name = this.#keyOf(member);
    const declared = `${isReadonly ? "readonly " : ""}${name}${isOptional ? "?" : ""}`;
    return [...docsOf(member, this.options), `${declared}: ${this.print(checker.getTypeOfSymbol(member))};`].join(
      "\n",
    );
  }

  #keyOf(member: ts.Symbol): string {
    const { ts, checker, fail } = this.options;
    if (!String(member.escapedName).startsWith("__@")) return propertyName(member.name);
    const declared = member.declarations?.map((each) => ts.getNameOfDeclaration(each as ts.Declaration))
      .find((each) => each !== undefined && ts.isComputedPropertyName(each));
    const symbol = declared && checker.getSymbolAtLocation(declared.expression);
    const target = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const name = target && this.#nameOf(target);
    return name === undefined
      ? fail(`a property of a type has a symbol as its key, ${checker.symbolToString(member)}, which no module exports`)
      : `[${name}]`;
  }

  #nameOf(symbol: ts.Symbol): string | undefined {
    return this.options.names.nameOf(symbol);
  }

  /** Returns the name of what is written by its name only. */
  #requireName(symbol: ts.Symbol): string {
    const state =
      `the type ${symbol.name} cannot be named in another module; export it from the module that declares it`;
    return this.#nameOf(symbol) ?? this.options.fail(state);
  }
}

/** The types that the compiler prints as they are written. */
function plainFlags({ TypeFlags: flags }: typeof ts): number {
  return flags.Any | flags.Unknown | flags.Never | flags.Void | flags.Undefined | flags.Null | flags.String |
    flags.Number | flags.Boolean | flags.BigInt | flags.ESSymbol | flags.NonPrimitive | flags.NumberLiteral |
    flags.BigIntLiteral | flags.BooleanLiteral;
}

/** Returns the members of a union with `boolean` in the place of its two values. */
function mergeBooleans(members: readonly ts.Type[], { TypeFlags: flags }: typeof ts): readonly (ts.Type | "boolean")[] {
  const values = members.filter((member) => member.flags & flags.BooleanLiteral);
  if (values.length < 2) return members;
  return [...members.filter((member) => !values.includes(member)), "boolean"];
}

/** Sorts the members of a union, whose order depends on what the compiler saw before. */
function sortUnion(texts: readonly string[]): string[] {
  const rank = (text: string): number => ["undefined", "null"].indexOf(text);
  return [...new Set(texts)].toSorted((one, other) => {
    const difference = rank(one) - rank(other) || Number(one) - Number(other);
    return Number.isNaN(difference) || difference === 0 ? (one < other ? -1 : 1) : difference;
  });
}

/** Sorts properties as they are declared, since the order of mapped ones depends on what the compiler saw before. */
export function sortMembers(members: readonly ts.Symbol[]): readonly ts.Symbol[] {
  const places = new Map(members.map((member) => {
    const [declaration] = member.declarations ?? [];
    const isStatus = /^\d+$/.test(member.name);
    const file = declaration === undefined || isStatus ? "" : declaration.getSourceFile().fileName;
    return [member, { file, start: isStatus ? Number(member.name) : declaration?.getStart() ?? 0 }];
  }));
  return members.toSorted((one, other) => {
    const [first, second] = [places.get(one)!, places.get(other)!];
    if (first.file !== second.file) return first.file < second.file ? -1 : 1;
    return first.start - second.start || (one.name < other.name ? -1 : 1);
  });
}

function isFunction(type: ts.Type, checker: ts.TypeChecker): boolean {
  return type.getCallSignatures().length > 0 && checker.getPropertiesOfType(type).length === 0;
}

/** Returns whether a property is declared as readonly, or mapped to one. */
function isReadonlyMember(member: ts.Symbol, { getCombinedModifierFlags, ModifierFlags }: typeof ts): boolean {
  const { links } = member as { readonly links?: { readonly checkFlags?: number } }; // of a mapped type, which has no other API
  if (links?.checkFlags !== undefined) return (links.checkFlags & readonlyFlag) !== 0;
  return member.declarations?.some((each) =>
    (getCombinedModifierFlags(each as ts.Declaration) & ModifierFlags.Readonly) !== 0
  ) ?? false;
}

/** `CheckFlags.Readonly` of the compiler. */
const readonlyFlag = 8;

/** Returns the lines of the doc comment of a property or of a route. */
export function docsOf(member: ts.Symbol, { ts, checker }: Pick<TypePrinterOptions, "ts" | "checker">): string[] {
  const text = ts.displayPartsToString(member.getDocumentationComment(checker));
  const tags = member.getJsDocTags(checker).filter(({ name }) => name === "deprecated")
    .map(({ text }) => `@deprecated ${ts.displayPartsToString(text)}`.trim());
  const all = [...(text === "" ? [] : [text]), ...tags].join("\n\n");
  return all === "" ? [] : commentLines(all);
}

/** Returns what an interface of an object that refers to itself is called: as its alias, if there is one. */
function suggestName(type: ts.Type): string {
  return type.aliasSymbol?.name ??
    (/^\w+$/.test(type.symbol.name) && !type.symbol.name.startsWith("__") ? type.symbol.name : "Recursive");
}

/** Indents lines by two spaces. */
export function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "  ");
}
