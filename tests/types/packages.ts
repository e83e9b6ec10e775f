/** The packages that checked programs may import: being imported here, they are installed. */
export type {} from "@standard-schema/spec";
export type {} from "@tanstack/query-core";
export type {} from "arktype";
export type {} from "valibot";
export type {} from "zod";
