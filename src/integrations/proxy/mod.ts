/**
 * Passes requests on to another server, such as the one that a contract has not replaced yet.
 *
 * @module
 */
export { proxy, type ProxyOptions } from "./proxy.ts";
