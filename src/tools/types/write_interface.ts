/** Writes the interface of a contract: its routes with the types of both sides, as the compiler knows them. */
import type ts from "typescript";
import { mark } from "../../mark.ts";
import { propertyName } from "../code/print.ts";
import { docsOf, indent, sortMembers, TypePrinter, type TypePrinterOptions } from "./print_type.ts";

/** The name of the key of shared responses, which routers have besides their routes. */
const sharedKey = "~scope/shared-responses";

/** Writes the interface of a contract, and the interfaces that it names. */
export function writeInterface(contract: ts.Type, options: TypePrinterOptions): string {
  const writer = new InterfaceWriter(options);
  const webhooks = writer.typeOf(contract, "webhooks");
  const parts = [
    writer.router(writer.typeOf(contract, "routes")!),
    writer.byStatus(writer.typeOf(contract, "responses")!),
    writer.byStatus(writer.typeOf(contract, "refusals")!),
    ...(webhooks && kindOf(webhooks, options.checker) === "webhooks" ? [writer.webhooks(webhooks)] : []),
  ];
  const own = `export interface Api extends api.Contract<\n${indent(parts.join(",\n"))}\n> {}`;
  return [...writer.interfaces, own].join("\n\n");
}

/** Returns the kind of what the toolkit made, by the mark of its type. */
export function kindOf(type: ts.Type, checker: ts.TypeChecker): string | undefined {
  const member = type.getProperty(mark);
  const kind = member && checker.getTypeOfSymbol(member);
  return kind?.isStringLiteral() ? kind.value : undefined;
}

/** Prints the parts of a contract. */
class InterfaceWriter extends TypePrinter {
  /** Returns the type of a member. `undefined` if there is none. */
  typeOf(type: ts.Type, name: string): ts.Type | undefined {
    const { checker } = this.options;
    const member = checker.getPropertyOfType(type, name);
    return member && checker.getTypeOfSymbol(member);
  }

  /** Returns the type of `types`, which is never present at run time. */
  #typesOf(type: ts.Type): ts.Type | undefined {
    const types = this.typeOf(type, "types");
    return types && this.options.checker.getNonNullableType(types);
  }

  router(type: ts.Type): string {
    return `api.RouterNode<${this.#nodes(type)}, ${this.byStatus(this.typeOf(type, sharedKey)!)}>`;
  }

  webhooks(type: ts.Type): string {
    return `api.Webhooks<${this.#nodes(type)}>`;
  }

  /** Returns the routes and routers of a type by key. */
  #nodes(type: ts.Type): string {
    const { checker } = this.options;
    const lines = sortMembers(checker.getPropertiesOfType(type)).filter(({ name }) =>
      name !== mark && name !== sharedKey
    )
      .flatMap((member) => [
        ...docsOf(member, this.options),
        `readonly ${propertyName(member.name)}: ${this.#node(checker.getTypeOfSymbol(member), member)};`,
      ]);
    return `{\n${indent(lines.join("\n"))}\n}`;
  }

  #node(type: ts.Type, { name }: ts.Symbol): string {
    const { checker, fail } = this.options;
    switch (kindOf(type, checker)) {
      case "router":
        return this.router(type);
      case "route":
        return this.#route(type);
      default:
        return fail(`the type of the route ${name} is not known; declare routes with constants`);
    }
  }

  #route(type: ts.Type): string {
    const members = routeMembers.flatMap((name) => {
      const member = this.typeOf(type, name)!; // every route of the toolkit has it
      const text = byStatus.includes(name) ? this.byStatus(member) : this.part(member);
      return text === "undefined" ? [] : [`${name}: ${text};`];
    });
    return `api.DeclaredRoute<{\n${indent(members.join("\n"))}\n}>`;
  }

  /** Returns the text of the type of a part of a contract. */
  part(type: ts.Type): string {
    const { checker } = this.options;
    switch (kindOf(type, checker)) {
      case "codec": {
        const [wire, application] = ["wire", "application"].map((name) => this.part(this.typeOf(type, name)!));
        return `api.Codec<${wire}, ${application}>`;
      }
      case "styled":
        return `api.Styled<${this.part(this.typeOf(type, "schema")!)}, ${this.print(this.typeOf(type, "styles")!)}>`;
      case "request":
        return this.#body(type);
      case "response":
        return this.#response(type);
    }
    return type.getProperty("~standard") ? this.#schema(type) : this.print(type);
  }

  /** Prints responses or refusals by status. */
  byStatus(type: ts.Type): string {
    const { ts, checker } = this.options;
    if (type.flags & ts.TypeFlags.Undefined) return "undefined";
    const lines = sortMembers(checker.getPropertiesOfType(type)).map((member) =>
      `readonly ${keyOf(member.name)}: ${this.part(checker.getTypeOfSymbol(member))};`
    );
    return lines.length === 0 ? "Record<never, never>" : `{\n${indent(lines.join("\n"))}\n}`;
  }

  #schema(type: ts.Type): string {
    const types = this.#typesOf(this.typeOf(type, "~standard")!);
    if (types === undefined) return "api.Schema";
    const [input, output] = ["input", "output"].map((name) => this.print(this.typeOf(types, name)!));
    return input === output ? `api.Schema<${input}>` : `api.Schema<${input}, ${output}>`;
  }

  #body(type: ts.Type): string {
    const { received, sent, contentType, isCodec, kind } = this.#content(type);
    if (contentType !== undefined) {
      return `api.DeclaredRangedBody<${kind}, ${[received, sent, contentType, ...isCodec].join(", ")}>`;
    }
    const isPlain = received === sent && isCodec.length === 0;
    return `api.DeclaredBody<${[kind, received, ...(isPlain ? [] : [sent]), ...isCodec].join(", ")}>`;
  }

  #response(type: ts.Type): string {
    const socket = this.#socket(type);
    if (socket !== undefined) return socket;
    const { received, sent, headers = "undefined", isCodec, kind } = this.#content(type);
    const more = [[sent, sent !== received], [headers, headers !== "undefined"], [
      ...isCodec,
      isCodec.length > 0,
    ]] as const;
    const last = more.findLastIndex(([, isNeeded]) => isNeeded);
    return `api.DeclaredResponse<${[kind, received, ...more.slice(0, last + 1).map(([text]) => text)].join(", ")}>`;
  }

  /** Prints a response by `response.socket()`. `undefined` for another one. */
  #socket(type: ts.Type): string | undefined {
    const { checker } = this.options;
    const types = this.#typesOf(type);
    const [received, sent, isCodec] = ["received", "sent", "isCodec"].map((name) => types && this.typeOf(types, name));
    const ofClient = received && this.typeOf(received, "~socket");
    if (!ofClient || !sent) return undefined;
    const own = checker.getNonNullableType(ofClient);
    const [fromClient, fromServer, code] = ["sent", "received", "code"].map((name) =>
      this.print(this.typeOf(own, name)!)
    );
    const [conversation] = (sent.isUnion() ? sent.types : [sent]).flatMap((each) => each.getCallSignatures());
    const [socket] = conversation?.parameters ?? [];
    const ofServer = socket ? checker.getTypeArguments(checker.getTypeOfSymbol(socket) as ts.TypeReference) : [];
    const onServer = ofServer.slice(0, 2).map((each) => this.print(each));
    const differs = onServer[0] !== fromClient || onServer[1] !== fromServer;
    const codec = isCodec ? this.print(isCodec) : "false";
    const more = [code, codec, ...(differs ? onServer : [])];
    const last = differs ? more.length : codec === "true" ? 2 : code === "never" ? 0 : 1;
    return `api.DeclaredSocket<${[fromClient, fromServer, ...more.slice(0, last)].join(", ")}>`;
  }

  /** Prints the types of the content of a body or a response. */
  #content(type: ts.Type): {
    readonly kind: string;
    readonly received: string;
    readonly sent: string;
    readonly contentType: string | undefined;
    readonly headers: string | undefined;
    /** `true` as an argument, if it is a codec. */
    readonly isCodec: readonly string[];
  } {
    const types = this.#typesOf(type);
    const text = (name: string): string | undefined => {
      const member = types && this.typeOf(types, name);
      return member && this.print(member);
    };
    const headers = types && this.typeOf(types, "headers");
    return {
      kind: this.print(this.typeOf(type, "kind")!),
      received: text("received") ?? "unknown",
      sent: text("sent") ?? "unknown",
      contentType: text("contentType"),
      headers: headers && this.part(headers),
      isCodec: text("isCodec") === "true" ? ["true"] : [],
    };
  }
}

/** The members of a route that are written, in this order. */
const routeMembers = [
  "key",
  "method",
  "path",
  "params",
  "query",
  "headers",
  "body",
  "responses",
  "ownResponses",
  "security",
  "refusals",
] as const;

/** Those of them that are objects by status. */
const byStatus: readonly string[] = ["responses", "ownResponses", "refusals"];

/** Returns a key: a status as a number. */
function keyOf(name: string): string {
  return /^\d+$/.test(name) ? name : propertyName(name);
}
