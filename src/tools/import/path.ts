/** Paths of documents in the form of contracts. */
import { isPattern, type TextPattern } from "../../wire/field_styles.ts";
import { decodePercent } from "../json_schema/references.ts";
import { Names, toCamelCase, toWords } from "../code/names.ts";

/** A path of a contract, and the parameters in it. */
export interface ImportedPath {
  /** `/users/:id`. */
  readonly path: string;
  readonly hasTrailingSlash: boolean;
  readonly parameters: readonly PathParameter[];
  /** What is declared otherwise than in the document. */
  readonly changes: readonly string[];
}

/** A parameter of a path: a whole segment. */
export interface PathParameter {
  /** The name in the contract. */
  readonly name: string;
  /** The text of the segment with `*` for each parameter of the document, if the parameter has that style. */
  readonly pattern?: TextPattern;
  /** What its value consists of: names of parameters in the document, and literal text between them. */
  readonly parts: readonly (string | TemplateParameter)[];
}

interface TemplateParameter {
  readonly parameter: string;
}

/** How a path is read. */
export interface PathOptions {
  /** Whether another path precedes it, so that `/` is a slash at the end. */
  readonly isBelow: boolean;
  /** Whether another operation has the same method and path, except for the text around parameters. */
  readonly isCrowded: boolean;
  /** The names of the parameters that the operation declares. */
  readonly declared: ReadonlySet<string>;
}

/**
 * Reads a path.
 *
 * @throws {TypeError} If a contract cannot declare it.
 */
export function readPath(path: string, { isBelow, isCrowded, declared }: PathOptions): ImportedPath {
  const changes: string[] = [];
  const written = path.replaceAll(
    /\{([^{}]*)\}/g,
    (whole, template: string) =>
      declared.has(template) && !/[+*]$/.test(template) ? whole : readTemplate(template, changes),
  );
  const literal = written.replaceAll(/\{[^{}]*\}/g, "{}");
  if (!path.startsWith("/")) throw new TypeError("its path does not start with /");
  if (!path.isWellFormed()) throw new TypeError("its path has a lone surrogate, which no URL can carry");
  if (literal.includes("#")) throw new TypeError("its path has a fragment, which clients do not send");
  if (literal.includes("?")) throw new TypeError("its path has a query; declare the parameters in the query");
  if (literal.endsWith("//")) throw new TypeError("its path ends with an empty segment");
  const names = new Names();
  const hasTrailingSlash = (isBelow || written.length > 1) && written.endsWith("/");
  const segments = written.slice(1, hasTrailingSlash ? -1 : undefined).split("/").map((segment) =>
    readSegment(segment, names, isCrowded)
  );
  return {
    path: `/${segments.map((segment) => typeof segment === "string" ? segment : `:${segment.name}`).join("/")}`,
    hasTrailingSlash,
    parameters: segments.filter((segment) => typeof segment !== "string"),
    changes: [...new Set(changes)],
  };
}

/**
 * Returns a template as segments of contracts: `{proxy+}`, `{*rest}` and `{+name}` of gateways match several segments,
 * `{name=projects/*}` of Google is a pattern, and `{id:int}` or `{id?}` of frameworks has a constraint.
 */
function readTemplate(template: string, changes: string[]): string {
  const [, name = template, pattern] = /^([^=]+)=(.*)$/.exec(template) ?? [];
  if (pattern?.includes("*")) {
    changes.push(
      `the parameter ${name} is the segments ${pattern}, with a parameter for each *` +
        (pattern.includes("**") ? ", which is one segment for **" : ""),
    );
    return toSegments(pattern);
  }
  const plain = name.replace(/^(?:[+#./;&*]|\*\*)/, "").replace(/[+*?]$|:[^]*$/, "");
  if (plain === name || plain === "") return `{${name}}`;
  if (/[+*]/.test(name)) changes.push(`the parameter ${plain} is one segment: clients encode its slashes`);
  else changes.push(`the parameter ${plain} is one segment without the pattern {${template}}`);
  return `{${plain}}`;
}

/** Returns the segments of a pattern of Google: `projects/*` has a parameter for the project. */
function toSegments(pattern: string): string {
  let before = "value";
  return pattern.split("/").map((segment) => {
    if (!/^\*+$/.test(segment)) return before = segment;
    return `{${toCamelCase([...toWords(before), "id"])}}`;
  }).join("/");
}

function readSegment(segment: string, names: Names, isCrowded: boolean): string | PathParameter {
  const parts = segment.split(/(\{[^{}]*\})/).filter((part) => part !== "").map((part) =>
    part.startsWith("{") && part.endsWith("}") ? { parameter: part.slice(1, -1) } : decodePercent(part)
  );
  const parameters = parts.filter(isTemplateParameter);
  if (parameters.length === 0) return checkLiteral(parts.join(""), segment);
  const named = nameParameter(parts, names);
  const pattern = parts.map((part) => typeof part === "string" ? part : "*").join("");
  const hasOther = parts.some((part) => typeof part === "string" && /[*/]/.test(part)); // no pattern can have these
  if (!isPattern(pattern) || pattern === "*" || hasOther || (parameters.length > 1 && !isCrowded)) return named;
  return { ...named, pattern, ...(parameters.length === 1 && { parts: parameters }) };
}

function isTemplateParameter(part: string | TemplateParameter): part is TemplateParameter {
  return typeof part !== "string";
}

function nameParameter(parts: PathParameter["parts"], names: Names): PathParameter {
  const parameters = parts.filter(isTemplateParameter).map(({ parameter }) => parameter);
  const name = parameters.length === 1 && /^[A-Za-z_]\w*$/.test(parameters[0]!)
    ? parameters[0]!
    : toCamelCase(parameters.flatMap(toWords)).replaceAll(/\W/g, "") || "value";
  return { name: names.take(/^[A-Za-z_]/.test(name) ? name : `_${name}`), parts };
}

/** Throws a `TypeError` for a literal segment that a contract would read otherwise. */
function checkLiteral(literal: string, segment: string): string {
  const state = literal.startsWith(":")
    ? "which reads as a parameter"
    : literal.includes("/")
    ? "whose slash a contract cannot declare"
    : undefined;
  if (state === undefined) return literal;
  throw new TypeError(`its path has the segment ${JSON.stringify(segment)}, ${state}`);
}
