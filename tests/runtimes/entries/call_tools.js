// Calls tools by the client of the official SDK of the Model Context Protocol, and prints what came of it as JSON. Its arguments are the
// URL and the version of the protocol.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const [, , url, pin] = process.argv;
const client = new Client({ name: "test", version: "1.0.0" }, pin ? { versionNegotiation: { mode: { pin } } } : {});
await client.connect(new StreamableHTTPClientTransport(new URL(url)));
const { tools } = await client.listTools();
const results = [];
const calls = [
  ["users_byId", { params: { id: "42" } }],
  ["users_byId", { params: { id: "7" } }],
  ["users_list"],
  ["users_create", { body: { id: "1", name: "" } }],
  ["users_create", { name: "Grace" }],
];
for (const [name, given] of calls) {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: given });
  results.push({ text: content[0].text, structuredContent, isError });
}
console.log(JSON.stringify({ version: client.getNegotiatedProtocolVersion(), names: tools.map(({ name }) => name), results }));
await client.close();
