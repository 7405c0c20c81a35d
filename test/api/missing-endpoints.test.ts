import { describe, expect, it } from "vitest";
import { networkOperations } from "../../src/api/operations/index.ts";
import { contract } from "../../src/contract/index.ts";
import type { EndpointGroups } from "../../src/contract/endpoint.ts";

/** Every endpoint of interface.md. */
const specified = [
  "GET /v2/all-channels",
  "GET /v1/channel",
  "GET /v1/channel-followers",
  "GET /v1/user-following-channels",
  "GET /v1/user-channel",
  "POST /fc/channel-follows",
  "DELETE /fc/channel-follows",
  "GET /fc/channel-members",
  "GET /fc/channel-invites",
  "GET /fc/channel-restricted-users",
  "GET /fc/channel-bans",
  "POST /fc/channel-bans",
  "DELETE /fc/channel-bans",
  "POST /fc/channel-invites",
  "DELETE /fc/channel-invites",
  "PATCH /fc/channel-invites",
  "GET /fc/moderated-casts",
  "POST /fc/moderated-casts",
  "PUT /fc/pinned-casts",
  "DELETE /fc/pinned-casts",
  "GET /v2/discover-actions",
  "GET /v2/discover-composer-actions",
  "GET /fc/blocked-users",
  "POST /fc/blocked-users",
  "DELETE /fc/blocked-users",
  "GET /fc/account-verifications",
  "GET /v1/creator-rewards-winner-history",
  "GET /v1/developer-rewards-winner-history",
  "GET /fc/primary-address",
  "GET /fc/primary-addresses",
  "GET /fc/starter-pack-members",
  "POST /v2/signed-key-request",
  "GET /v2/signed-key-request",
  "GET /transfers",
  "GET /transfers/current",
  "POST /transfers",
  "GET /v1/eventById",
  "GET /v1/events",
];

/** Those that are not served yet. May only get shorter. */
const missing: string[] = [];

/** Endpoints beyond interface.md: our own additions, and what the live hubs answer besides. */
const beyond = [
  "GET /signed-key-request/question",
  "GET /signed-key-request/user",
  "GET /signed-key-request/message",
  "POST /signed-key-request/answer",
  "GET /signer",
  "GET /current-time",
  "GET /_health",
  "GET /v1/info",
  "GET /v1/castsByParent",
  "GET /v1/onChainEventsByFid",
  "GET /v1/castById",
  "GET /v1/castsByFid",
  "GET /v1/userDataByFid",
  "GET /v1/userNameProofByName",
  "GET /v1/signersByFid",
];

const groups: EndpointGroups = contract;
const implemented: Record<string, { operations: Record<string, unknown> }> = networkOperations;

const declared = Object.entries(groups).flatMap(([group, endpoints]) =>
  Object.entries(endpoints).map(([name, { method, path }]) => ({ call: `${method} ${path}`, group, name })),
);
const served = declared
  .filter(({ group, name }) => implemented[group]?.operations[name])
  .map(({ call }) => call);

describe("the endpoints of interface.md", () => {
  it("are served, all but those listed as missing", () => {
    expect(specified.filter((call) => !served.includes(call))).toEqual(missing);
  });

  it("are the only ones served, with those beyond it", () => {
    expect(served.filter((call) => !specified.includes(call))).toEqual(beyond);
  });

  it("have an operation behind each declaration", () => {
    expect(declared.map(({ call }) => call)).toEqual(served);
  });
});
