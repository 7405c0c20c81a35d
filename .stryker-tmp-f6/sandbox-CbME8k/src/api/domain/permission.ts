// @ts-nocheck
import { AppError } from "../../errors.ts";
import type { ChannelRole } from "./standing.ts";

/** Refuses a caller who neither owns nor moderates the channel. */
export function requireModerator(callerRole: ChannelRole | undefined): void {
  if (callerRole !== "owner" && callerRole !== "moderator") {
    throw new AppError("not_permitted", "Only the owner and the moderators of the channel may do this.");
  }
}

/** Refuses everybody but the owner; a moderator learns that it takes the owner. */
export function requireOwner(callerRole: ChannelRole | undefined): void {
  requireModerator(callerRole);
  if (callerRole !== "owner") {
    throw new AppError("not_owner", "Only the owner of the channel may do this.");
  }
}
