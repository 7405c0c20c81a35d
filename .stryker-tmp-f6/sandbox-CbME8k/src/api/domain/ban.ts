// @ts-nocheck
import { AppError } from "../../errors.ts";
import { requireModerator } from "./permission.ts";
import { roleIn, type ChannelRole, type Standing } from "./standing.ts";
import { step } from "./transitions.ts";

/** POST /fc/channel-bans. Moderators are banned by the owner only, so that none can unseat another. */
export function banUser(target: Standing, callerRole: ChannelRole | undefined): Standing {
  requireModerator(callerRole);
  if (callerRole !== "owner" && roleIn(target.state) === "moderator") {
    throw new AppError("cannot_ban_moderator", "Only the owner of the channel may ban a moderator.");
  }
  return step(target, "ban");
}

/** DELETE /fc/channel-bans. */
export function unbanUser(target: Standing, callerRole: ChannelRole | undefined): Standing {
  requireModerator(callerRole);
  return step(target, "unban");
}
