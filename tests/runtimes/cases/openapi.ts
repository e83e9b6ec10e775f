import { openApiDocument } from "@scope/api/openapi";
import { assertEquals } from "@std/assert";
import type { Case } from "../case.ts";
import { contract } from "../contract.ts";
import { documentOptions } from "../server.ts";

export const openapi: readonly Case[] = [
  {
    name: "the document of a contract is the one that is made here",
    run: async (baseUrl) => {
      const document = await (await fetch(`${baseUrl}/api/document`)).json();
      assertEquals(document, JSON.parse(JSON.stringify(openApiDocument(contract, documentOptions))));
      return document.openapi;
    },
    gives: "3.2.0",
  },
];
