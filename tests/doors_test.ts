import * as contract from "@scope/api";
import * as audit from "@scope/api/audit";
import * as client from "@scope/api/client";
import * as connect from "@scope/api/connect";
import * as diff from "@scope/api/diff";
import * as fetch from "@scope/api/fetch";
import * as imports from "@scope/api/import";
import * as mock from "@scope/api/mock";
import * as mcp from "@scope/api/mcp";
import * as node from "@scope/api/node";
import * as openapi from "@scope/api/openapi";
import * as request from "@scope/api/request";
import * as response from "@scope/api/response";
import * as retry from "@scope/api/retry";
import * as server from "@scope/api/server";
import * as slim from "@scope/api/slim";
import * as socket from "@scope/api/socket";
import * as tanstackQuery from "@scope/api/tanstack-query";
import * as testing from "@scope/api/testing";
import * as proxy from "@scope/api/proxy";
import * as typesDoor from "@scope/api/types";
import * as publisher from "@scope/api/publisher";
import * as webhooks from "@scope/api/webhooks";
import * as xhr from "@scope/api/xhr";
import { assertEquals } from "@std/assert";
import config from "../deno.json" with { type: "json" };
import { commands, entryPoints } from "../scripts/entry_points.ts";
import { runDeno } from "./support/run_module.ts";

const doors: Readonly<Record<string, readonly [door: object, names: readonly string[]]>> = {
  ".": [contract, [
    "codec",
    "defineContract",
    "renameScheme",
    "representation",
    "request",
    "response",
    "route",
    "router",
    "security",
    "styled",
    "webhooks",
    "withSchemes",
  ]],
  "./audit": [audit, ["auditServer", "formatAudit"]],
  "./client": [client, [
    "ClientError",
    "createClient",
    "fieldErrors",
    "isErrorOf",
    "unwrap",
    "unwrapResult",
    "validateResponses",
  ]],
  "./connect": [connect, ["connect", "openInMemory"]],
  "./diff": [diff, ["diffContracts"]],
  "./import": [imports, ["importContract", "readOpenApi", "writeContract"]],
  "./fetch": [fetch, ["createFetchHandler", "fetchAdapter", "watchBody"]],
  "./mock": [mock, ["mockContract"]],
  "./mcp": [mcp, ["mcpTools"]],
  "./node": [node, ["createNodeHandler", "toNodeHandler", "watchBody"]],
  "./openapi": [openapi, ["docsPage", "openApiDocument", "serveDocs", "toOpenApi30"]],
  "./request": [request, ["as", "bytes", "form", "formData", "json", "ndjson", "stream", "text"]],
  "./response": [response, [
    "as",
    "bytes",
    "empty",
    "json",
    "ndjson",
    "problem",
    "raw",
    "socket",
    "sse",
    "statuses",
    "stream",
    "text",
  ]],
  "./retry": [retry, ["follow", "retry"]],
  "./server": [server, ["defineServer", "fieldErrors", "keepAlive", "verify"]],
  "./slim": [slim, [
    "apiKeyCredential",
    "as",
    "basicCredential",
    "bearerCredential",
    "bytes",
    "cookieCredential",
    "empty",
    "fieldStyles",
    "form",
    "formData",
    "json",
    "ndjson",
    "problem",
    "raw",
    "requestNdjson",
    "requestStream",
    "requestText",
    "responseStream",
    "responseText",
    "slimContract",
    "slimRoutes",
    "socket",
    "sse",
    "statuses",
  ]],
  "./socket": [socket, ["bunSockets", "denoSockets", "memorySockets", "nodeSockets", "workersSockets"]],
  "./tanstack-query": [tanstackQuery, [
    "infiniteQueryOptions",
    "mutationOptions",
    "nextLinkQuery",
    "queryKey",
    "queryOptions",
  ]],
  "./testing": [testing, ["ContractTestError", "contractTests", "sample"]],
  "./types": [typesDoor, []],
  "./publisher": [publisher, ["GapError", "createPublisher"]],
  "./webhooks": [
    webhooks,
    ["createSender", "isPublicUrl", "standardWebhookHeaders", "standardWebhooks", "webhookEvents"],
  ],
  "./xhr": [xhr, ["xhrFetch"]],
  "./proxy": [proxy, ["proxy"]],
};

for (const [name, [door, names]] of Object.entries(doors)) {
  Deno.test(`the entry point ${name} exports only its names`, () => {
    assertEquals(Object.keys(door).toSorted(), names);
  });
}

/**
 * The types that each entry point exports for annotations. Other types are internal: an editor offers what a user
 * writes.
 */
const types: Readonly<Record<string, string>> = {
  ".": `
    ApiKeyCredential ApiKeySchemeOptions BasicCredential BasicSchemeOptions BearerCredential BearerSchemeOptions
    BodyRouteOptions BytesInput CheckedItem Codec CombinedSchemes CommonSchemeOptions ContentDocs Contract ContractOptions Conversation CookieCredential
    CookieSchemeOptions CustomRepresentation CustomSchemeOptions DeclareBodyRoute DeclareRoute Deprecated
    Deprecation Docs EmptyResponseOptions EncodedContent EventReader Extensions ExternalDocs FieldDocs FieldStyle FormDataOptions HeadersWithContentType InputOf
    Issue ItemReader ItemSource ItemsInput MediaTypes Method NdjsonRequestOptions NoSecurity OutputOf Problem ProblemIssue RawResponseOptions
    ReceivedEvent ReceivedItems RefusalResponse Refusals RenamedScheme RepresentationOptions RequestAsOptions RequestBody RequestOptions ResponseAsOptions
    ResponseDeclaration ResponseDocs ResponseOptions Responses RouteDeclaration RouteHelpers RouteNode
    RouteOptions RouteTree RouterDeclaration RouterNode RouterOptions Schema SchemaNotes ScopedScheme Security SecurityHelpers
    SecurityScheme SentComment SentEvent SentId SentProblem ServerDocs ServerSocket SignatureSchemeOptions SignedContent SocketOptions SocketResponse StatusRange StreamInput
    Styled Webhooks
  `,
  "./audit": `
    AuditFinding AuditFormat AuditHint AuditOptions AuditReport AuditVerdict AuditedOperation Awaitable OpenApiSource Rule
    TargetHandler
  `,
  "./client": `
    AnyOutcome AnyResult Around AroundCall Awaitable BasicCredential BodyInput CallError CallOptions CallPromise
    CalledRoute Client ClientCall ClientCredentials ClientErrorCode ClientErrorDetails ClientInit ClientOptions ClientResult Contract
    ErrorOf EventReader FieldErrorsOptions FormDataValue HeaderFields IssueSummary ItemReader ParamsAndBody ParamsInput
    Problem ProblemIssue ReceivedEvent ReceivedResponse SuccessfulResult TextValue
  `,
  "./connect": `
    Closed ConnectOptions Connected Connection ConnectionOf ConnectionState Disconnected
    OpenWebSocket WebSocketLike
  `,
  "./diff": `
    AnyOpenApiDocument AnySwaggerDocument Change ChangeRule ChangeVerdict Contract ContractOrDocument DiffOptions
    DocumentOfFiles Json JsonObject
    SchemaProvider SchemaSlot
  `,
  "./fetch": `
    Awaitable BodyEnd ContextInput CorsOptions ErrorPhase ErrorReport FetchAdapter FetchHandler FetchHandlerOptions
    FetchOptions Implementation MountedHandler OnError OnResponse RequestHeaders ResponseReport RouteInfo RouteQuestion
  `,
  "./mcp": `
    Awaitable Contract HeaderFields JsonSchema JsonSchemaObject McpCallOptions McpJson McpJsonObject McpObjectSchema
    McpTool McpToolAnnotations McpToolResult McpTools McpToolsOptions RouteNode SchemaProvider SchemaSlot
  `,
  "./mock": `
    Contract CorsOptions FetchHandler FetchOptions JsonSchemaObject MockHandlers MockOptions MockStatuses SamplePath
    SampleProvider SchemaProvider SchemaSlot Verifier
  `,
  "./node": `
    Awaitable BodyEnd ContextInput CorsOptions ErrorPhase ErrorReport Implementation NodeExchange NodeHandler
    NodeHandlerOptions NodeOptions NodeRequest NodeResponse OnError OnResponse RequestHeaders ResponseReport RouteInfo RouteQuestion
  `,
  "./openapi": `
    Contract DocsHandler DocsPageBaseOptions DocsPageDocumentOptions DocsPageOptions DocsPageUrlOptions DocsTree JsonSchema
    JsonSchemaObject OpenApi30 OpenApi30Document OpenApiComponents OpenApiContact OpenApiContent OpenApiDocument OpenApiEncoding OpenApiField
    OpenApiFlow OpenApiInfo OpenApiLicense OpenApiLoss OpenApiMediaType OpenApiMessages OpenApiMethod OpenApiOperation OpenApiOptions
    OpenApiParameter OpenApiPathItem OpenApiReference OpenApiRequestBody OpenApiResponse OpenApiSchemeBase OpenApiSecurityRequirement
    OpenApiSecurityScheme OpenApiServer OpenApiServerVariable OpenApiSocket OpenApiTag ScalarFile Schema SchemaNotes SchemaProvider SchemaSlot
    ServeDocsBaseOptions ServeDocsOptions ServeScalarOptions ServeSwaggerUiOptions SwaggerUiFile ViewerFiles
  `,
  "./retry": `
    Around ClosedConnection FollowOptions ItemReader OpenConnection ReceivedEvent RetriedAttempt RetryOptions
  `,
  "./server": `
    AdapterProblem Awaitable ContextInput Contract CreateResult FieldErrorsOptions Fragment Guard GuardInput Handler HandlerInput
    HandlersOf Implementation ItemSource Middleware MiddlewareInput MiddlewareResult NextResult NodeServer PartialOptions
    ProblemCode Refuse RefuseInput RequestHeaders ResponseHeaders Responses Result ResultOf RouteInfo RouteNode RouterNode
    SentComment SentEvent SentId Server ServerOptions Verifier VerifierInput
  `,
  "./import": `
    ImportOptions ImportReport ImportedContract ImportedDocument ImportedFile OpenApiSource ReportedOperation ReportedPlace
    SchemaLibrary WriteContractOptions WrittenContract
  `,
  "./slim": `
    Contract RouteTypes SlimContract SlimContractOf SlimRoute SlimRoutes TypedBody TypedResponse WithStatuses
  `,
  "./socket": `
    BunHandlers BunSockets CheckedItem CloseReport Conversation Issue MemoryCloseEvent MemorySocket MemoryUpgrade NodeSocketServer OnClose RouteInfo ServerSocket Sockets SocketsOptions
    WorkersSocketsOptions
  `,
  "./tanstack-query": `
    InfiniteQueryOptions InfiniteQueryPages MutationOptions Page QueryOptions SkippableQueryOptions TypedQueryKey
  `,
  "./proxy": "ProxyOptions",
  "./types": `
    ApiKeyCredential BasicCredential BearerCredential BytesInput Codec CombinedSchemes Contract CookieCredential
    DeclaredBody DeclaredRangedBody DeclaredResponse DeclaredRoute DeclaredSocket DeclaredTypes EventReader FormDataFields FormFields
    HeadersWithContentType ItemReader ItemSource ItemsInput NoSecurity Problem ReceivedItems RouterNode Schema
    ScopedScheme SecurityScheme SentComment SentEvent SentEvents SentId Styled StyledFormDataFields Webhooks WithStatuses
  `,
  "./publisher": `
    PublishedEvent Publisher PublisherOptions SubscribeOptions Subscription
  `,
  "./webhooks": `
    HeaderSource SendWebhook Sender SenderOptions StandardWebhooks StandardWebhooksOptions VerifiedWebhook WebhookEvent
    WebhookMessage
  `,
  "./xhr": `
    UploadProgress XhrFetchOptions
  `,
  "./testing": `
    ContractTest ContractTestOptions RouteValues Rule SampleOptions Target TargetHandler TestValues
  `,
};

for (const [name, listed] of Object.entries(types)) {
  Deno.test(`the entry point ${name} exports only its types`, async () => {
    const file = config.exports[name as keyof typeof config.exports];
    const text = await Deno.readTextFile(new URL(`../${file}`, import.meta.url));
    const exported = [...text.matchAll(/^export (type )?\{([^}]*)\} from/gm)].flatMap(([, ofTypes, names = ""]) =>
      [...names.matchAll(ofTypes ? /(\w+)/g : /\btype (\w+)/g)].map(([, type = ""]) => type)
    );
    assertEquals(exported.toSorted(), listed.trim().split(/\s+/));
  });
}

Deno.test("the entry points are those of the folders", () => {
  assertEquals(Object.entries(config.exports).toSorted(), Object.entries(entryPoints).toSorted());
});

Deno.test("each entry point but the commands, which run as they are imported, has its names above", () => {
  const names = Object.keys(config.exports).filter((name) => !commands.some(({ door }) => door === name));
  assertEquals(Object.keys(doors).toSorted(), names.toSorted());
});

Deno.test("the entry points request and response export the helpers of the objects with these names", () => {
  assertEquals({ ...request }, { ...contract.request });
  assertEquals({ ...response }, { ...contract.response });
});

Deno.test("no door makes Deno load what it has for Node", async () => {
  // the first one that reads `process` pays 10 ms for it, which is most of the start-up of a server
  const program = `
    const names = ["process", "Buffer", "global", "setImmediate", "clearImmediate"];
    for (const name of names) Object.defineProperty(globalThis, name, { get() { throw new Error(name); } });
    await Promise.all(${
    JSON.stringify(Object.keys(doors).map((door) => `@scope/api${door.slice(1)}`))
  }.map((door) => import(door)));
    console.log("loaded");`;

  assertEquals(await runDeno(["eval", program]), { code: 0, stdout: "loaded\n", stderr: "" });
});
