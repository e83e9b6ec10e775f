import type { TestRun } from "../testing/test_run.ts";
import type { DocumentFacts } from "./document.ts";
import type { Sender } from "./sender.ts";
import type { AuditSettings } from "./settings.ts";

/** A server that is audited, with its document. */
export interface AuditedServer {
  readonly run: TestRun;
  readonly sender: Sender;
  readonly settings: AuditSettings;
  readonly documented: DocumentFacts;
  /** The URL of the server, without the path of the document's servers. */
  readonly baseUrl: string;
}
