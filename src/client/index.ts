/**
 * The typed client of the three interfaces, ours or live: `import { createClient } from "castellan/client"`. Calls
 * return the results in the interface's document, and throw AppError, whose `code` is the network's reason.
 */
export { AppError, type ErrorCode } from "../errors.ts";
export type { Network } from "../contract/index.ts";
export type { Upstream } from "./choose-hub.ts";
export { createClient, type ClientOptions } from "./create-client.ts";
export { pages } from "../contract/pages.ts";
export { mintToken, type Signer } from "./token.ts";
