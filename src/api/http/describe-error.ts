import type { Interface } from "../../contract/endpoint.ts";
import {
  registryCodes,
  type AppError,
  type Mistake,
  type ClientReason,
  type ErrorCode,
  type RegistryCode,
} from "../../errors.ts";

/** decisions.md, "status". Codes that are not here never reach a caller: they are bugs where they show up. */
const statuses: Record<ClientReason | RegistryCode, number> &
  Partial<Record<Exclude<ErrorCode, ClientReason | RegistryCode>, number>> = {
  invalid_request: 400,
  invalid_cursor: 400,
  invalid_auth_token: 401,
  not_found: 404,
  not_permitted: 403,
  not_owner: 403,
  cannot_ban_owner: 403,
  cannot_ban_moderator: 403,
  cannot_remove_owner: 403,
  banned_from_channel: 403,
  invitee_not_following: 403,
  invitee_not_member: 403,
  no_active_invite: 403,
  invite_already_answered: 409,
  too_many_moderators: 409,
  cast_not_in_channel: 403,
  insufficient_credits: 403,
  too_large: 413,
  rate_limited: 429,
  not_ready: 503,
  USERNAME_TAKEN: 400,
  USERNAME_RESERVED: 400,
  TOO_MANY_NAMES: 400,
  UNAUTHORIZED: 400,
  USERNAME_NOT_FOUND: 400,
  INVALID_SIGNATURE: 400,
  INVALID_USERNAME: 400,
  INVALID_FID_OWNER: 400,
  THROTTLED: 400,
  INVALID_TIMESTAMP: 400,
  invalid_file: 400,
  invalid_input: 400,
};

const registryCodeSet: ReadonlySet<string> = new Set(registryCodes);

/** The status of an error that its caller can act on; undefined for a bug. */
export function statusOf(error: AppError): number | undefined {
  return statuses[error.code];
}

/** The error's body in the shape of the interface that was asked. */
export function describeError(of: Interface, error: AppError): object {
  if (of === "registry" && registryCodeSet.has(error.code)) {
    return { error: "Validation failure", code: error.code, message: error.message };
  }
  return shape(of, error.code, error.message, error.instancePath, error.mistakes);
}

/** What is shown of a bug: the id that finds its line in the log. */
export function describeBug(of: Interface, id: string): object {
  return shape(of, "internal_error", `Something went wrong (error ${id}).`);
}

function shape(
  of: Interface,
  reason: string,
  message: string,
  instancePath?: string,
  mistakes: readonly Mistake[] = [],
): object {
  if (of === "registry") return { error: message };
  if (of === "hub") return { error: reason, error_detail: message };
  const more = mistakes.map((mistake) => ({ message: mistake.message, reason, instancePath: mistake.path }));
  return { errors: [{ message, reason, instancePath }, ...more] };
}
