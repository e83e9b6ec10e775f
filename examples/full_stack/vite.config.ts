import { mockContract } from "@scope/api/mock";
import react from "@vitejs/plugin-react";
import process from "node:process";
import { toNodeHandler } from "@scope/api/node";
import { defineConfig, type Plugin } from "vite";
import { contract } from "./contract.ts";

const target = process.env.API ?? "http://127.0.0.1:8000";

// the host stays that of the page: with `changeOrigin: true`, the server refuses cookies of "another" origin
const proxy = { "/api": { target, changeOrigin: false, ws: true } };

export default defineConfig(({ mode }) =>
  mode === "mock" ? { plugins: [react(), mockApi()] } : { plugins: [react()], server: { proxy } }
);

/** Answers the API in Vite's own server: `vite --mode mock`. */
function mockApi(): Plugin {
  const answer = toNodeHandler(mockContract(contract, { caller: { name: "Ada" } }));
  return {
    name: "mock-api",
    configureServer: ({ middlewares }) => {
      middlewares.use((request, response, next) => {
        if (request.url?.startsWith("/api/")) answer(request, response);
        else next();
      });
    },
  };
}
