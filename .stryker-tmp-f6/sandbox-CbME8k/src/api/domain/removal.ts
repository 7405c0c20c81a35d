// @ts-nocheck
import type { Role } from "../../contract/values.ts";
import { requireModerator, requireOwner } from "./permission.ts";
import type { ChannelRole, Standing } from "./standing.ts";
import { step } from "./transitions.ts";

/** DELETE /fc/channel-invites: takes the role back, or the outstanding invite to it. */
export function removeUser(target: Standing, role: Role, callerRole: ChannelRole | undefined): Standing {
  if (role === "member") {
    requireModerator(callerRole);
    return step(target, "removeMember");
  }
  requireOwner(callerRole);
  return step(target, "removeModerator");
}
