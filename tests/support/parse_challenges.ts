/**
 * A strict parser of `www-authenticate` (RFC 9110, section 11.6.1). It throws if the text does not match the grammar.
 */

/** One challenge. */
export interface Challenge {
  readonly scheme: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** A token instead of parameters. */
  readonly token68?: string;
}

/** Parses challenges, one after another. */
export function parseChallenges(text: string): Challenge[] {
  const challenges: Challenge[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    const found = new RegExp(pattern.source, "y");
    found.lastIndex = at;
    const taken = found.exec(text)?.[0];
    if (taken !== undefined) at += taken.length;
    return taken;
  };
  const need = (pattern: RegExp, what: string): string => {
    const taken = take(pattern);
    if (taken === undefined) throw new Error(`Cannot parse ${JSON.stringify(text)}: ${what} is missing at ${at}`);
    return taken;
  };
  const takeParameter = (parameters: Record<string, string>): void => {
    const name = need(tokenPattern, "the name of a parameter").toLowerCase();
    need(/[ \t]*=[ \t]*/, "=");
    const value = take(quotedPattern)?.slice(1, -1).replaceAll(/\\(.)/g, "$1") ?? need(tokenPattern, "a value");
    if (Object.hasOwn(parameters, name)) throw new Error(`Cannot parse ${JSON.stringify(text)}: ${name} twice`);
    parameters[name] = value;
  };
  const takeChallenge = (): Challenge => {
    const scheme = need(tokenPattern, "a scheme");
    const parameters: Record<string, string> = {};
    if (take(/ +/) === undefined) return { scheme, parameters };
    const token68 = take(/[\w\-.~+/]+=*(?=$|[ \t]*,)/);
    if (token68 !== undefined) return { scheme, parameters, token68 };
    do takeParameter(parameters); while (take(nextParameter));
    return { scheme, parameters };
  };
  do challenges.push(takeChallenge()); while (take(/[ \t]*,[ \t]*/) !== undefined);
  if (at < text.length) throw new Error(`Cannot parse ${JSON.stringify(text)}: unread from ${at}`);
  return challenges;
}

const tokenPattern = /[\w!#$%&'*+.^`|~-]+/;
const quotedPattern = /"(?:[\t !#-[\]-~\x80-\xff]|\\[\t -~\x80-\xff])*"/;
/** A comma before a name and `=`: the parameter belongs to the same challenge. */
const nextParameter = /[ \t]*,[ \t]*(?=[\w!#$%&'*+.^`|~-]+[ \t]*=)/;
