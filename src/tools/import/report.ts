/** What became of a document: the operations that were declared, changed or left out, and its faults. */
import { describePlace, type DocumentPlace } from "../openapi/operations.ts";

/** What an import did with a document. */
export interface ImportReport {
  /** The title and version of the document. */
  readonly title: string;
  /** The URLs of the further files that the document refers to, directly or not. */
  readonly files: readonly string[];
  /** The operations of the document, in its order. */
  readonly operations: readonly ReportedOperation[];
  /** The webhooks of the document. The `key` of each is its name. */
  readonly webhooks: readonly ReportedOperation[];
  /** The callbacks of its operations, which contracts do not declare. */
  readonly omitted: readonly ReportedPlace[];
  /** Faults of the document, and how they were read. */
  readonly faults: readonly ReportedPlace[];
  /** Parts of schemas that the written code does not check, by place. */
  readonly unchecked: readonly ReportedPlace[];
  /** What schemas say that the published document does not, or says otherwise: keywords, annotations and references. */
  readonly unpublished: readonly ReportedPlace[];
}

/** An operation, and what became of it. */
export interface ReportedOperation {
  /** The method and the path of the document, `GET /users/{id}`, or the name of a webhook, `POST orderPaid`. */
  readonly operation: string;
  /** The dotted key of its route: `users.byId`. `undefined` if it was left out. */
  readonly key: string | undefined;
  /** What is declared otherwise than in the document. */
  readonly changes: readonly string[];
  /** Why it was left out. `undefined` if it was declared. */
  readonly reason: string | undefined;
}

/** A place of a document and what is said about it. */
export interface ReportedPlace {
  /** A JSON Pointer (RFC 6901) as a fragment, after the file if it is another one: `#/components/schemas/User`. */
  readonly place: string;
  /** What is said about the place. */
  readonly message: string;
}

/** The lists of a report that are about places. */
type Found = Pick<ImportReport, "omitted" | "faults" | "unchecked" | "unpublished">;

/** Collects what is to be reported about places. */
export class Reporter {
  readonly #lists: Readonly<Record<keyof Found, Map<string, ReportedPlace>>> = {
    omitted: new Map(),
    faults: new Map(),
    unchecked: new Map(),
    unpublished: new Map(),
  };

  /** @param unchecked What is already known not to be checked. */
  constructor(unchecked: readonly ReportedPlace[] = []) {
    for (const each of unchecked) this.#lists.unchecked.set(`${each.place} ${each.message}`, each);
  }

  /** Reports a message about a place, once. */
  add(list: keyof Found, place: DocumentPlace, message: string): void {
    const text = describePlace(place);
    this.#lists[list].set(`${text} ${message}`, { place: text, message });
  }

  /** What was reported. */
  get found(): Found {
    const { omitted, faults, unchecked, unpublished } = this.#lists;
    return {
      omitted: [...omitted.values()],
      faults: [...faults.values()],
      unchecked: [...unchecked.values()],
      unpublished: [...unpublished.values()],
    };
  }
}
