/** The earlier version that `--against` names, wherever it is. */
import { toOneLine } from "../../messages.ts";

export interface EarlierVersion {
  /** What it is called in messages. */
  readonly name: string;
  /** Its version; `undefined` if only its document has one. */
  readonly version: string | undefined;
  /** The path of its document. */
  readonly document: string;
  /** What provides the document, for the message that it is missing. */
  readonly remedy: string;
  /** Returns the text of a file by its path; `undefined` if there is none. */
  read(path: string): Promise<string | undefined>;
  /** Tests whether there is a module that could be imported. */
  hasModule(): Promise<boolean>;
  /** Makes the module importable while it is used. */
  checkOut<Result>(use: (module: string) => Promise<Result>): Promise<Result>;
}

/** What the messages of the command begin with. */
export const failure = "Cannot compare contracts";

/** Throws the error of an earlier version. */
export function failEarlier(state: string): never {
  throw new TypeError(toOneLine(`${failure}: ${state}`));
}
