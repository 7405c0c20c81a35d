import type { Gateway } from "./gateway/gateway.ts";
import type { Grants } from "./oauth/grants.ts";
import type { Interactions } from "./interactions/interactions.ts";
import type { Violation } from "./rest/exchange.ts";
import type { RateLimits } from "./rest/rate-limits.ts";
import type { State } from "./state.ts";

/** Shared by the REST API and the people of the local Discord. */
export interface Context extends State {
  gateway: Gateway;
  interactions: Interactions;
  grants: Grants;
  rateLimits: RateLimits;
  /** The latest 1,000 requests that a correct client would not have sent. */
  violations: Violation[];
}
