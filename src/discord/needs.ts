import { PermissionFlagsBits } from "discord.js";
import type { Capability } from "../moderation/capabilities.ts";

/**
 * A person's permission in a server: a capability in any of its channels, or `manage` (Discord's "Manage Server"),
 * `unlink` (may end a channel's link, as far as our rows show), `linked` (no permission, but the server has a working
 * channel) or `everyone`.
 */
export type Need = Capability | "manage" | "unlink" | "linked" | "everyone";

/**
 * The permission for using a command somewhere in a server. It only determines to whom the command is offered. The
 * handler still checks permissions for the channel at hand.
 */
export type Needs = Need | { any: readonly Need[] } | { all: readonly Need[] };

export function isMet(needs: Needs, held: ReadonlySet<Need>): boolean {
  if (typeof needs === "string") return held.has(needs);
  return "any" in needs
    ? needs.any.some((need) => held.has(need))
    : needs.all.every((need) => held.has(need));
}

/** Whether every member of the server can use it. */
export function isForEveryone(needs: Needs): boolean {
  return needs === "everyone" || needs === "linked";
}

/**
 * The permission with which Discord offers a command to members by default, given its subcommands' needs; undefined
 * offers it to everybody. A server can open commands to other roles under Integrations.
 */
export function offeringPermission(needs: readonly Needs[]): bigint | undefined {
  if (needs.some(isForEveryone)) return undefined;
  // "Manage Server", or else "Timeout Members".
  return needs.includes("manage") ? PermissionFlagsBits.ManageGuild : PermissionFlagsBits.ModerateMembers;
}
