import type { CommandContext } from "../../src/discord/command-context.ts";
import { listUnlinkable } from "../../src/moderation/authorize.ts";
import { listLinkedChannels } from "../../src/moderation/channel-links.ts";
import { capabilities, type Capability } from "../../src/moderation/capabilities.ts";
import { suggestedChannels } from "../shared/suggestions.ts";

/** What it takes to use a command: a capability in any channel here, or what is said. */
type Needed =
  | Capability
  | "anything"
  | "manage"
  | "unlink"
  | "overview"
  | "status"
  | "edit"
  | "all"
  | "feeds or manage"
  | "linked";

/** The commands by what one wants to do, each with what it takes. A test compares it with who may do what. */
export const groups: Record<string, Record<string, Needed>> = {
  People: {
    who: "view",
    "member list": "view",
    "member info": "view",
    "member remove": "invite",
    "ban add": "ban",
    "ban soft": "ban",
    "ban remove": "ban",
    "ban list": "view",
    "invite member": "invite",
    "invite moderator": "view",
    "invite revoke": "invite",
    "invite list": "view",
    "name lookup": "view",
    "name history": "view",
  },
  Casts: { hide: "hide", unhide: "hide", "pin set": "pin", "pin clear": "pin" },
  "Many at once": {
    "bulk hide": "hide",
    "bulk unhide": "hide",
    "bulk ban": "ban",
    "bulk unban": "ban",
    "bulk list": "view",
    "bulk show": "view",
    "bulk stop": "undo",
    "bulk undo": "all",
  },
  "What was done, and what waits": {
    "case list": "view",
    "case view": "view",
    "case undo": "all",
    "case duration": "ban",
    "case reason": "edit",
    "case comment": "edit",
    "case export": "view",
    "note add": "ban",
    "note list": "view",
    "strike add": "ban",
    "strike remove": "ban",
    "strike list": "view",
    stats: "view",
    audit: "link",
    "review list": "view",
    "review show": "view",
    "review decide": "all",
    appeal: "linked",
    "report cast": "linked",
    "report ignore": "hide",
    "report heed": "hide",
  },
  Rules: {
    "rule list": "rules",
    "rule show": "rules",
    "rule starter": "rules",
    "rule suggest": "rules",
    "rule edit": "rules",
    "rule mode": "rules",
    "rule test": "rules",
    "rule sweep": "all",
    "rule undo": "undo",
    "rule explain": "view",
    "rule import": "rules",
    "rule history": "rules",
    "rule rollback": "rules",
    "automod pause": "rules",
    "automod resume": "rules",
    "automod lockdown": "all",
    "automod lift": "rules",
  },
  "What rooms are told": {
    "feed add": "feeds",
    "feed list": "overview",
    "feed edit": "feeds",
    "feed room": "feeds",
    "feed test": "feeds",
    "feed remove": "feeds or manage",
  },
  "Channels and rights": {
    "channel info": "view",
    "channel settings": "link",
    "channel message": "link",
    "channel link": "manage",
    "channel sign": "manage",
    "channel unlink": "unlink",
    status: "status",
    help: "anything",
  },
};

/** Whether a command takes no right at all: every member may use it. */
export function isForEverybody(path: string): boolean {
  const needed = Object.values(groups).find((group) => path in group)?.[path];
  return needed === "anything" || needed === "linked";
}

/** Those of the commands that whoever asks may use somewhere here. */
export async function findUsable(context: CommandContext, paths: readonly string[]): Promise<Set<string>> {
  const { managesServer } = context.actor;
  const unlinks = (await listUnlinkable(context, context.actor)).length > 0;
  const holdsAny = async (some: readonly Capability[]): Promise<boolean> => {
    const held = await Promise.all(some.map((one) => suggestedChannels(context, one)));
    return held.some((channelIds) => channelIds.length > 0);
  };
  const holdsAll = async (): Promise<boolean> => {
    const held = await Promise.all(capabilities.map((one) => suggestedChannels(context, one)));
    return held.every((channelIds) => channelIds.length > 0);
  };
  const holds = async (needed: Needed | undefined): Promise<boolean> => {
    switch (needed) {
      case undefined:
      case "anything":
        return true;
      case "linked":
        return (await listLinkedChannels(context, context.actor.guildId, { suspended: false })).length > 0;
      case "manage":
        return managesServer;
      case "unlink":
        return unlinks || (await suggestedChannels(context, "link")).length > 0;
      case "overview":
        return unlinks || managesServer || (await suggestedChannels(context, "view")).length > 0;
      case "status":
        return unlinks || (await suggestedChannels(context, "view")).length > 0;
      case "all":
        return holdsAll();
      case "edit":
        return holdsAny(["ban", "hide", "pin", "invite"]);
      case "feeds or manage":
        return managesServer || (await suggestedChannels(context, "feeds")).length > 0;
      default:
        return (await suggestedChannels(context, needed)).length > 0;
    }
  };
  const needs = new Map(Object.values(groups).flatMap((group) => Object.entries(group)));
  const usable = new Set<string>();
  for (const path of paths) if (await holds(needs.get(path))) usable.add(path);
  return usable;
}
