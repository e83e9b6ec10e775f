/** Breaks source text in small ways, which its syntax tree suggests. */
import ts from "typescript";

/** One way to break a source file: it replaces the text of a node. */
export interface Mutant {
  readonly file: string;
  /** The line of the node, from 1. */
  readonly line: number;
  /** The nearest named function or constant around the node, or `module`. */
  readonly within: string;
  readonly operator: string;
  /** The text of the node, and where it starts. */
  readonly text: string;
  readonly start: number;
  readonly replacement: string;
}

/** Returns the text that replaces a node, or `undefined` if the operator does not apply to the node. */
type Operator = (node: ts.Node, text: (node: ts.Node) => string) => string | undefined;

const swapped: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [ts.SyntaxKind.EqualsEqualsEqualsToken, "!=="],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, "==="],
  [ts.SyntaxKind.LessThanToken, "<="],
  [ts.SyntaxKind.LessThanEqualsToken, "<"],
  [ts.SyntaxKind.GreaterThanToken, ">="],
  [ts.SyntaxKind.GreaterThanEqualsToken, ">"],
  [ts.SyntaxKind.AmpersandAmpersandToken, "||"],
  [ts.SyntaxKind.BarBarToken, "&&"],
  [ts.SyntaxKind.PlusToken, "-"],
  [ts.SyntaxKind.MinusToken, "+"],
  [ts.SyntaxKind.AsteriskToken, "/"],
  [ts.SyntaxKind.PercentToken, "*"],
]);

/** Methods whose result has the type of their receiver. */
const refinements: ReadonlySet<string> = new Set([
  "filter",
  "slice",
  "toLowerCase",
  "toReversed",
  "toSorted",
  "toUpperCase",
  "trim",
  "trimEnd",
  "trimStart",
]);

/** Each operator by the name that the list of survivors has for it. */
export const operators: Readonly<Record<string, Operator>> = {
  "negate the condition": (node, text) => {
    const parent = node.parent;
    const isCondition = (ts.isIfStatement(parent) && parent.expression === node) ||
      (ts.isConditionalExpression(parent) && parent.condition === node);
    return isCondition && !isEquality(node) ? `!(${text(node)})` : undefined;
  },
  "skip the loop": (node) => isLoopCondition(node) ? "false" : undefined,
  "swap the operator": (node, text) => {
    if (!ts.isBinaryExpression(node)) return undefined;
    const { left, operatorToken, right } = node;
    const operator = swapped.get(operatorToken.kind);
    const isText = operatorToken.kind === ts.SyntaxKind.PlusToken && [left, right].some(isTextLiteral);
    if (operator === undefined || isText) return undefined;
    const isLogical = operator === "&&" || operator === "||";
    // Mixed logical operators would bind differently without the parentheses.
    return isLogical ? `((${text(left)}) ${operator} (${text(right)}))` : `${text(left)} ${operator} ${text(right)}`;
  },
  "drop the fallback": (node, text) =>
    ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken
      ? `(${text(node.left)})`
      : undefined,
  "drop the statement": (node) => isEffect(node) ? ";" : undefined,
  "empty the body": (node) => {
    if (ts.isBlock(node)) {
      const isBody = ts.isFunctionLike(node.parent) && !ts.isConstructorDeclaration(node.parent);
      return isBody && node.statements.length > 1 ? "{}" : undefined;
    }
    const isResult = ts.isArrowFunction(node.parent) && node.parent.body === node;
    return isResult && node.getText() !== "undefined" ? "undefined" : undefined;
  },
  "drop the member": (node) => {
    if (ts.isObjectLiteralExpression(node.parent) && !ts.isSpreadAssignment(node)) return "...{}";
    return ts.isArrayLiteralExpression(node.parent) && ts.isExpression(node) ? "...[]" : undefined;
  },
  "drop the spread": (node) => {
    if (ts.isSpreadAssignment(node)) return "...{}";
    return ts.isSpreadElement(node) ? "...[]" : undefined;
  },
  "change the literal": (node) => {
    if (node.kind === ts.SyntaxKind.TrueKeyword) return "false";
    if (node.kind === ts.SyntaxKind.FalseKeyword) return "true";
    if (ts.isNumericLiteral(node)) return isNegative(node) ? undefined : String(Number(node.text) + 1);
    return ts.isStringLiteral(node) && isMeaningful(node) ? '"mutant"' : undefined;
  },
  "drop an anchor": (node) => {
    if (!ts.isRegularExpressionLiteral(node)) return undefined;
    const [, start, end] = /^\/(\^?).*?([^\\]\$)?\/\w*$/s.exec(node.text) ?? [];
    if (start) return `/${node.text.slice(2)}`.replace(/^\/\//, "/(?:)/");
    return end ? node.text.replace(/\$(\/\w*)$/, "$1") : undefined;
  },
  "keep the receiver": (node, text) => {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
    const { expression, name } = node.expression;
    return refinements.has(name.text) ? text(expression) : undefined;
  },
};

function isLoopCondition(node: ts.Node): boolean {
  const parent = node.parent;
  return (ts.isWhileStatement(parent) && parent.expression === node) ||
    (ts.isForStatement(parent) && parent.condition === node);
}

/** Whether "swap the operator" already negates the node. */
function isEquality(node: ts.Node): boolean {
  return ts.isBinaryExpression(node) && /^[!=]==$/.test(node.operatorToken.getText());
}

function isTextLiteral(node: ts.Node): boolean {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
}

/** A statement that a program without it would still parse. */
function isEffect(node: ts.Node): boolean {
  if (ts.isThrowStatement(node) || ts.isContinueStatement(node) || ts.isBreakStatement(node)) return true;
  if (!ts.isExpressionStatement(node)) return false;
  return !(ts.isCallExpression(node.expression) && node.expression.expression.kind === ts.SyntaxKind.SuperKeyword);
}

function isNegative(node: ts.Node): boolean {
  return ts.isPrefixUnaryExpression(node.parent);
}

/**
 * Whether a program decides something by the string: it is not a sentence for readers, not the name of a member, and not
 * an operand of `typeof`, whose comparison is swapped.
 */
function isMeaningful(node: ts.StringLiteral): boolean {
  const parent = node.parent;
  if (/\s/.test(node.text)) return false;
  if (ts.isPropertyAssignment(parent) && parent.name === node) return false;
  return !(ts.isBinaryExpression(parent) && ts.isTypeOfExpression(parent.left));
}

/** Nodes without code that runs. */
function isErased(node: ts.Node): boolean {
  return ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) ||
    ts.isImportDeclaration(node) || ts.isExportDeclaration(node);
}

/** Lists every mutant of a file, in the order of the source. */
export function listMutants(file: string, source: string): Mutant[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const text = (node: ts.Node): string => node.getText(tree);
  const mutants: Mutant[] = [];
  const visit = (node: ts.Node, around: string): void => {
    if (isErased(node)) return;
    const within = nameOf(node, around);
    for (const [operator, replace] of Object.entries(operators)) {
      const replacement = node.parent && replace(node, text);
      if (replacement === undefined) continue;
      const start = node.getStart(tree);
      const line = tree.getLineAndCharacterOfPosition(start).line + 1;
      mutants.push({ file, line, within, operator, text: text(node), start, replacement });
    }
    ts.forEachChild(node, (child) => visit(child, within));
  };
  visit(tree, "module");
  return mutants;
}

/** The name of a function or a constant of the module that the node declares, or the name around it. */
function nameOf(node: ts.Node, around: string): string {
  const isNamed = ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isAccessor(node) ||
    ts.isClassDeclaration(node) ||
    (ts.isVariableDeclaration(node) && (around === "module" || isFunction(node.initializer)));
  return isNamed && node.name ? node.name.getText() : around;
}

function isFunction(node: ts.Expression | undefined): boolean {
  return node !== undefined && (ts.isArrowFunction(node) || ts.isFunctionExpression(node));
}

/** Returns the source text with the mutant applied. */
export function applyMutant(source: string, { start, text, replacement }: Mutant): string {
  return source.slice(0, start) + replacement + source.slice(start + text.length);
}
