/** All known ways to break the source, by the promise that they break. */
import { bodies } from "./bodies.ts";
import { changes } from "./changes.ts";
import { clients } from "./clients.ts";
import { contracts } from "./contracts.ts";
import { contractTests } from "./contract_tests.ts";
import { cors } from "./cors.ts";
import { credentials } from "./credentials.ts";
import { decoding } from "./decoding.ts";
import { documents } from "./documents.ts";
import { encoding } from "./encoding.ts";
import { errors } from "./errors.ts";
import { type MutatedFile } from "./mutant.ts";
import { mocks } from "./mocks.ts";
import { queries } from "./queries.ts";
import { retries } from "./retries.ts";
import { routing } from "./routing.ts";
import { schemas } from "./schemas.ts";
import { security } from "./security.ts";
import { servers } from "./servers.ts";
import { slim } from "./slim.ts";
import { streams } from "./streams.ts";
import { uploads } from "./uploads.ts";
import { tools } from "./tools.ts";

export const mutants: Readonly<Record<string, readonly MutatedFile[]>> = {
  routing,
  decoding,
  bodies,
  errors,
  encoding,
  streams,
  servers,
  clients,
  contracts,
  cors,
  credentials,
  retries,
  queries,
  security,
  documents,
  mocks,
  schemas,
  changes,
  tools,
  contractTests,
  slim,
  uploads,
};
