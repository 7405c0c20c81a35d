/** Reasons of the client API (decisions.md, "reasons"); the operator routes use the same. */
export const clientReasons = [
  "invalid_request",
  "invalid_cursor",
  "invalid_auth_token",
  "not_found",
  "not_permitted",
  "not_owner",
  "cannot_ban_owner",
  "cannot_ban_moderator",
  "cannot_remove_owner",
  "banned_from_channel",
  "invitee_not_following",
  "invitee_not_member",
  "no_active_invite",
  "invite_already_answered",
  "too_many_moderators",
  "cast_not_in_channel",
  "insufficient_credits",
  "too_large",
  "rate_limited",
  "not_ready",
] as const;

/** Codes of the name registry (decisions.md, "POST /transfers"). */
export const registryCodes = [
  "USERNAME_TAKEN",
  "USERNAME_RESERVED",
  "TOO_MANY_NAMES",
  "UNAUTHORIZED",
  "USERNAME_NOT_FOUND",
  "INVALID_SIGNATURE",
  "INVALID_USERNAME",
  "INVALID_FID_OWNER",
  "THROTTLED",
  "INVALID_TIMESTAMP",
] as const;

/** What goes wrong on our own side of the contract: configuration, files, the road to the network, chat. */
export const ownCodes = [
  "invalid_configuration",
  "invalid_file",
  "directory_in_use",
  "database_misused",
  "database_unavailable",
  "network_unreachable",
  "network_failed",
  "room_unavailable",
  "message_refused",
  "discord_unreachable",
  "invalid_input",
  "not_linked",
  "not_allowed",
  "not_proven",
  "expired",
  "already_answered",
] as const;

export type ClientReason = (typeof clientReasons)[number];
export type RegistryCode = (typeof registryCodes)[number];
export type ErrorCode = ClientReason | RegistryCode | (typeof ownCodes)[number];

/** One mistake in a larger input: `path` is a JSON pointer ("/channels/0/url") or "line 3, column 7". */
export interface Mistake {
  path: string;
  message: string;
}

export interface ErrorDetails {
  cause?: unknown;
  /** JSON pointer to the offending input field. */
  instancePath?: string;
  /** Seconds to wait before the call may be repeated. */
  retryAfter?: number;
  /** The mistakes found, where an input can have many: all, or the first and how many more there are. */
  mistakes?: Mistake[];
  /** HTTP status of the answer that says so. */
  status?: number;
  /** The network may have received and done what was asked: read before asking again. */
  mayHaveHappened?: boolean;
}

/** An error that its reader can act on. `message` is safe to show to users; anything else thrown is a bug. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly instancePath: string | undefined;
  readonly retryAfter: number | undefined;
  readonly mistakes: readonly Mistake[];
  readonly status: number | undefined;
  readonly mayHaveHappened: boolean;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.instancePath = details.instancePath;
    this.retryAfter = details.retryAfter;
    this.mistakes = details.mistakes ?? [];
    this.status = details.status;
    this.mayHaveHappened = details.mayHaveHappened ?? false;
  }
}

/** The AppError with one of these codes, or undefined; narrows what a catch clause got. */
export function asAppError(error: unknown, ...codes: ErrorCode[]): AppError | undefined {
  if (!(error instanceof AppError)) return undefined;
  return codes.length === 0 || codes.includes(error.code) ? error : undefined;
}

/** Why the system refused a file or directory, in words; undefined for what the system did not say. */
export function explainSystemError(cause: unknown): string | undefined {
  if (!(cause instanceof Error && "syscall" in cause && "code" in cause)) return undefined;
  return systemErrors[String(cause.code)] ?? cause.message;
}

const systemErrors: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or directory",
  ENOTDIR: "a part of the path is a file",
  EISDIR: "it is a directory",
  EEXIST: "it exists already",
  EACCES: "that is not permitted",
  EPERM: "that is not permitted",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
};
