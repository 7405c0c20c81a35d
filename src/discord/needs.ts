import { PermissionFlagsBits } from "discord.js";
import type { Capability } from "../moderation/capabilities.ts";

/**
 * What a person may hold in a server: a capability in any of its channels, or one of these:
 * - `manage`: Discord's "Manage Server"
 * - `unlink`: may end the link of a channel, as far as our rows tell
 * - `linked`: nothing, but the server has a channel that works
 * - `everyone`: nothing
 */
export type Need = Capability | "manage" | "unlink" | "linked" | "everyone";

/**
 * What it takes to use a command somewhere in a server. It decides to whom the command is offered, and nothing else: the
 * handler authorizes by itself, for the channel at hand.
 */
export type Needs = Need | { any: readonly Need[] } | { all: readonly Need[] };

export function isMet(needs: Needs, held: ReadonlySet<Need>): boolean {
  if (typeof needs === "string") return held.has(needs);
  return "any" in needs
    ? needs.any.some((need) => held.has(need))
    : needs.all.every((need) => held.has(need));
}

/** Whether every member of the server may use it. */
export function isForEveryone(needs: Needs): boolean {
  return needs === "everyone" || needs === "linked";
}

/**
 * By which permission Discord offers a command to members at first, given what each of its subcommands needs; undefined
 * offers it to everybody. A server opens commands to other roles under Integrations.
 */
export function offeringPermission(needs: readonly Needs[]): bigint | undefined {
  if (needs.some(isForEveryone)) return undefined;
  // "Manage Server", or else "Timeout Members".
  return needs.includes("manage") ? PermissionFlagsBits.ManageGuild : PermissionFlagsBits.ModerateMembers;
}
