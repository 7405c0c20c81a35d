/** How HTTP reports an error. The server, the OpenAPI document and the client all use it. */
interface ErrorEntry {
  status: number;
  /** Its meaning, for people. */
  summary: string;
  /** The client assumes it for a bare status, if the body names no reason; at most one per status. */
  isUsual?: true;
}

/** Reasons of the client API; the operator routes use the same. */
export const clientErrors = {
  invalid_request: {
    status: 400,
    summary: "The input does not match the description; `instancePath` names the field.",
    isUsual: true,
  },
  invalid_cursor: { status: 400, summary: "The cursor does not come from this listing." },
  invalid_auth_token: {
    status: 401,
    summary: "The bearer token is missing, forged, expired, or its key is revoked.",
    isUsual: true,
  },
  not_found: { status: 404, summary: "Something that the call names does not exist.", isUsual: true },
  not_permitted: { status: 403, summary: "The caller may not do this.", isUsual: true },
  not_owner: { status: 403, summary: "Only the owner of the channel may do this." },
  cannot_ban_owner: { status: 403, summary: "The owner of a channel cannot be banned from it." },
  cannot_ban_moderator: { status: 403, summary: "Only the owner may ban a moderator." },
  cannot_remove_owner: { status: 403, summary: "The owner cannot be removed." },
  banned_from_channel: { status: 403, summary: "The user is banned from the channel." },
  invitee_not_following: { status: 403, summary: "The user follows neither the channel nor the caller." },
  invitee_not_member: { status: 403, summary: "Only a member can become a moderator." },
  no_active_invite: { status: 403, summary: "The caller has no outstanding invite to this role." },
  invite_already_answered: { status: 409, summary: "The invite has already been answered the other way." },
  too_many_moderators: { status: 409, summary: "A channel has at most ten moderators, active and invited." },
  cast_not_in_channel: { status: 403, summary: "The cast is in no channel." },
  insufficient_credits: { status: 403, summary: "The sponsor holds fewer than 100 credits." },
  too_large: { status: 413, summary: "The body is larger than 64 KiB.", isUsual: true },
  rate_limited: {
    status: 429,
    summary: "Too many calls; `Retry-After` says how many seconds to wait.",
    isUsual: true,
  },
  not_ready: { status: 503, summary: "The network is starting, or its database is down.", isUsual: true },
} as const satisfies Record<string, ErrorEntry>;

/** Codes of the name registry. */
export const registryErrors = {
  USERNAME_TAKEN: { status: 400, summary: "Somebody else has the name." },
  USERNAME_RESERVED: { status: 400, summary: "The name is reserved." },
  TOO_MANY_NAMES: { status: 400, summary: "`to` has another name." },
  UNAUTHORIZED: {
    status: 400,
    summary:
      "The asking fid is not a party, or the holder's consent is missing; with `REGISTRY_RULES=live` any transfer between two fids.",
  },
  USERNAME_NOT_FOUND: { status: 400, summary: "Nobody has the name." },
  INVALID_SIGNATURE: {
    status: 400,
    summary: "The signature is not the owner's over this claim, under the domain of GET /signer.",
  },
  INVALID_USERNAME: { status: 400, summary: "The name is not 1 to 16 of a-z, 0-9 and -." },
  INVALID_FID_OWNER: { status: 400, summary: "The owner is not the fid's custody address." },
  THROTTLED: { status: 400, summary: "The name was transferred too recently." },
  INVALID_TIMESTAMP: {
    status: 400,
    summary: "The timestamp is too far from now, not later than the last transfer, or was used.",
  },
} as const satisfies Record<string, ErrorEntry>;

/** Hubs' own words for a query that finds nothing. */
export const hubErrors = {
  "Failed to get cast": { status: 400, summary: "There is no such cast, or its author removed it." },
  "Failed to get username proof": { status: 400, summary: "Nobody has the name." },
} as const satisfies Record<string, ErrorEntry>;

/**
 * Whether the service itself failed, not the request: it is down, overloaded, over its quota, or denies us access.
 * Another service of the kind may answer.
 */
export function isOfService(error: unknown): boolean {
  const { code, status = 0 } = asAppError(error) ?? {};
  return code === "network_unreachable" || status >= 500 || [401, 402, 403, 408, 425, 429].includes(status);
}

/** Errors on our own side that the operator routes can also return. */
const operatorErrors = {
  invalid_file: { status: 400, summary: "The network file has mistakes; each is named." },
  invalid_input: { status: 400, summary: "The input is invalid." },
} as const satisfies Record<string, ErrorEntry>;

/** Every code that HTTP can return. Any other code that reaches the server is a bug. */
export const httpErrors: Readonly<Record<Refusal, ErrorEntry> & Partial<Record<ErrorCode, ErrorEntry>>> = {
  ...clientErrors,
  ...registryErrors,
  ...hubErrors,
  ...operatorErrors,
};

/** Whether a repeated request would get the same error status, whatever its code (C3). */
export function isFinalStatus(status: number): boolean {
  return status >= 400 && status < 500 && ![408, 425, 429].includes(status);
}

/** Errors on our own side of the contract: configuration, files, connections to the network, chat. */
type OwnCode =
  | keyof typeof operatorErrors
  | "invalid_configuration"
  | "directory_in_use"
  | "database_misused"
  | "database_unavailable"
  | "network_unreachable"
  | "network_failed"
  | "network_refused"
  | "room_unavailable"
  | "message_refused"
  | "message_blocked"
  | "message_gone"
  | "discord_unreachable"
  | "webhook_failed"
  | "not_linked"
  | "not_allowed"
  | "not_proven"
  | "expired"
  | "already_answered"
  | "request_in_progress"
  | "idempotency_key_reused";

export type ClientReason = keyof typeof clientErrors;
export type RegistryCode = keyof typeof registryErrors;
/** Why one of the three interfaces may reject a call. */
export type Refusal = ClientReason | RegistryCode | keyof typeof hubErrors;
export type ErrorCode = Refusal | OwnCode;

/** One mistake in a larger input: `path` is a JSON pointer ("/channels/0/url") or "line 3, column 7". */
export interface Mistake {
  path: string;
  message: string;
  /** The number of mistakes of this kind, including this one, if not all are listed; without a path, of all other kinds. */
  count?: number;
}

/** The connection ended before the response did, nothing came in time, or the response was too large. */
type AnswerFailure = "dropped" | "silent" | "too_large";

interface ErrorDetails {
  cause?: unknown;
  /** JSON pointer to the offending input field. */
  instancePath?: string;
  /** Seconds to wait before the call may be repeated. */
  retryAfter?: number;
  /** The mistakes found, if an input can have several: all of them, or the first ones and a count of the rest. */
  mistakes?: Mistake[];
  /** HTTP status of the response. */
  status?: number;
  /** The network's code for it, even if it is not one of ours. */
  reason?: string;
  /** Why there is no readable response. */
  failure?: AnswerFailure;
  /** The network may have carried out the request: read before sending it again. */
  mayHaveHappened?: boolean;
}

/** An error that its reader can act on. `message` is safe to show to users. Anything else thrown is a bug. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly instancePath: string | undefined;
  readonly retryAfter: number | undefined;
  readonly mistakes: readonly Mistake[];
  readonly status: number | undefined;
  readonly reason: string | undefined;
  readonly failure: AnswerFailure | undefined;
  readonly mayHaveHappened: boolean;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.instancePath = details.instancePath;
    this.retryAfter = details.retryAfter;
    this.mistakes = details.mistakes ?? [];
    this.status = details.status;
    this.reason = details.reason;
    this.failure = details.failure;
    this.mayHaveHappened = details.mayHaveHappened ?? false;
  }
}

/** Returns the error if it is an AppError with one of these codes; for catch clauses. */
export function asAppError(error: unknown, ...codes: ErrorCode[]): AppError | undefined {
  if (!(error instanceof AppError)) return undefined;
  return codes.length === 0 || codes.includes(error.code) ? error : undefined;
}

/** Whether the request did not reach the network, or was put off before any of it was carried out. */
export function wasNotBegun(error: unknown): boolean {
  const known = asAppError(error, "rate_limited", "network_unreachable");
  return known?.mayHaveHappened === false;
}

/** Explains a system error about a file or directory; undefined for other errors. */
export function explainSystemError(cause: unknown): string | undefined {
  if (!(cause instanceof Error && "syscall" in cause && "code" in cause)) return undefined;
  return systemErrors[String(cause.code)] ?? cause.message;
}

/** Explains why a server's TLS certificate is rejected, in words that follow "its"; undefined for other errors. */
export function explainCertificateError(cause: unknown): string | undefined {
  if (!(cause instanceof Error && "code" in cause)) return undefined;
  return certificateErrors[String(cause.code)];
}

const unknownAuthority = "TLS certificate does not come from a trusted certificate authority";

const certificateErrors: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: "TLS certificate is for another name than its address",
  CERT_HAS_EXPIRED: "TLS certificate has expired",
  CERT_NOT_YET_VALID: "TLS certificate is not valid yet; check the clock",
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
};

const systemErrors: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or directory",
  ENOTDIR: "a part of the path is a file",
  EISDIR: "it is a directory",
  EEXIST: "it already exists",
  EACCES: "that is not permitted",
  EPERM: "that is not permitted",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EIO: "the disk cannot be read or written",
  ELOOP: "its links form a loop",
  ENAMETOOLONG: "a name in the path is too long",
  EMFILE: "too many files are open",
};
