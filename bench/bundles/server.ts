/** What a server imports, as one entry point. */
export * from "@scope/api/fetch";
export * from "@scope/api/server";
