import type { Endpoint, Interface } from "../../../contract/endpoint.ts";
import type { ClientReason, RegistryCode } from "../../../errors.ts";

type Reason = ClientReason | RegistryCode;

/** Everything for which a call of this endpoint may be refused. */
export function refusalsOf({ auth, method, carrier, paginated, refusals }: Endpoint): Reason[] {
  return [
    ...new Set<Reason>([
      "invalid_request",
      ...(paginated ? (["invalid_cursor"] as const) : []),
      ...(auth === "none" ? [] : (["invalid_auth_token"] as const)),
      ...(method !== "GET" && carrier === "body" ? (["too_large"] as const) : []),
      ...refusals,
      "rate_limited",
      "not_ready",
    ]),
  ];
}

/** What each reason means, for people. */
export const reasonTexts: Record<Reason, string> = {
  invalid_request: "The input is not as described; `instancePath` names the field.",
  invalid_cursor: "The cursor is not one that this listing gave.",
  invalid_auth_token: "The bearer token is missing, forged, expired, or its key is revoked.",
  not_found: "What the call names does not exist.",
  not_permitted: "The caller may not do this.",
  not_owner: "Only the owner of the channel may do this.",
  cannot_ban_owner: "The owner of a channel cannot be banned from it.",
  cannot_ban_moderator: "Only the owner may ban a moderator.",
  cannot_remove_owner: "The owner cannot be removed.",
  banned_from_channel: "The user is banned from the channel.",
  invitee_not_following: "The user follows neither the channel nor the caller.",
  invitee_not_member: "Only a member can become a moderator.",
  no_active_invite: "The caller has no outstanding invite to this role.",
  invite_already_answered: "The invite was answered the other way already.",
  too_many_moderators: "Ten moderators, active and invited, are the most.",
  cast_not_in_channel: "The cast is in no channel.",
  insufficient_credits: "The sponsor holds fewer than 100 credits.",
  too_large: "The body is larger than 64 KiB.",
  rate_limited: "Too many calls; `Retry-After` says how many seconds to wait.",
  not_ready: "The network is starting, or its database is away.",
  USERNAME_TAKEN: "Somebody else has the name.",
  USERNAME_RESERVED: "The name is reserved.",
  TOO_MANY_NAMES: "`to` has another name.",
  UNAUTHORIZED:
    "The asking fid is not a party, or the holder's consent is missing; with `REGISTRY_RULES=live` any transfer between two fids.",
  USERNAME_NOT_FOUND: "Nobody has the name.",
  INVALID_SIGNATURE: "The signature is not the owner's over this claim, under the domain of GET /signer.",
  INVALID_USERNAME: "The name is not 1 to 16 of a-z, 0-9 and -.",
  INVALID_FID_OWNER: "The owner is not the fid's custody address.",
  THROTTLED: "The name was transferred too recently.",
  INVALID_TIMESTAMP: "The timestamp is too far from now, not later than the last transfer, or was used.",
};

/** The shape of errors, by interface. */
export const errorSchemas: Record<"client" | "registry" | "hub", object> = {
  client: {
    type: "object",
    required: ["errors"],
    properties: {
      errors: {
        type: "array",
        items: {
          type: "object",
          required: ["message", "reason"],
          properties: {
            message: { type: "string" },
            reason: { type: "string" },
            instancePath: { type: "string" },
          },
        },
      },
    },
  },
  registry: {
    type: "object",
    required: ["error"],
    properties: {
      error: { type: "string" },
      code: { type: "string" },
      message: { type: "string" },
    },
  },
  hub: {
    type: "object",
    required: ["error", "error_detail"],
    properties: { error: { type: "string" }, error_detail: { type: "string" } },
  },
};

export function errorSchemaOf(of: Interface): keyof typeof errorSchemas {
  return of === "operator" ? "client" : of;
}
