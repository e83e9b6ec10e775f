/** The imports of a server, as one entry point. */
export * from "@scope/api/fetch";
export * from "@scope/api/server";
