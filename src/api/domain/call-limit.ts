import { inviteCallLimit } from "../../contract/membership.ts";
import { AppError } from "../../errors.ts";

export const inviteCallWindow = 3_600_000;

/**
 * Rejects a call if the window that ends now is full.
 * @param earlier times of the counted calls in this window, oldest first, in milliseconds like `now`
 */
export function admitInviteCall(earlier: readonly number[], now: number): void {
  const hundredthLast = earlier.at(-inviteCallLimit);
  if (hundredthLast === undefined) return;
  const retryAfter = Math.ceil((hundredthLast + inviteCallWindow - now) / 1000);
  throw new AppError(
    "rate_limited",
    `You made ${inviteCallLimit} invites and removals in this channel within an hour. Try again in ${retryAfter} s.`,
    { retryAfter },
  );
}
