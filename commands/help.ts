import { answer, type Command, type Handler } from "../src/discord/command.ts";
import type { CommandContext } from "../src/discord/command-context.ts";
import { listUnlinkable } from "../src/moderation/authorize.ts";
import { capabilities, type Capability } from "../src/moderation/capabilities.ts";
import { colors } from "../src/text/colors.ts";
import { cutText } from "../src/text/message-text.ts";
import { suggestedChannels } from "./shared/suggestions.ts";

const limits = [
  "- Bans, restrictions, invites and members are read every ten seconds: what came and went between two reads is not seen.",
  "- Records of hidden casts carry no name: what others did shows as done outside Castellan.",
  "- A ban hides a user's replies; their own casts need `hide_casts` or </hide>.",
  "- Lifting a ban leaves the user restricted, and no announcement can be taken back.",
  "- Discord offers most commands to moderators alone: the server's settings open them to others under Integrations.",
  "- Only a channel's owner changes who moderates it, in their own app.",
];

/** What it takes to use a command: a capability in any channel here, or what is said. */
type Needed =
  Capability | "anything" | "manage" | "unlink" | "overview" | "status" | "edit" | "all" | "feeds or manage";

/** The commands by what one wants to do, each with what it takes. A test compares it with who may do what. */
const groups: Record<string, Record<string, Needed>> = {
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
    "strike add": "ban",
    "strike remove": "ban",
    "strike list": "view",
    audit: "link",
    "review list": "view",
    "review show": "view",
    "review decide": "all",
  },
  Rules: {
    "rule list": "rules",
    "rule show": "rules",
    "rule starter": "rules",
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
    "channel link": "manage",
    "channel sign": "manage",
    "channel unlink": "unlink",
    status: "status",
    help: "anything",
  },
};

/** Explains the commands that whoever asks may use; their descriptions are the commands' own, so that it never lags behind. */
export function help(commands: readonly Command[]): Handler {
  return answer({
    description: "What you can do with Castellan, and what it cannot",
    options: {},
    async run(context) {
      const described = describeAll(commands);
      const usable = await findUsable(context, [...described.keys()]);
      const fields = [...groupsOf(described)].flatMap(([name, paths]) => {
        const lines = paths
          .filter((path) => usable.has(path))
          .map((path) => `</${path}> ${cutText(described.get(path) ?? "", mostOfEach)}`);
        return splitLines(lines).map((value, index) => ({
          name: index === 0 ? name : `${name}, too`,
          value,
        }));
      });
      const hidden = described.size - usable.size;
      const more =
        hidden === 0
          ? []
          : [
              `${hidden} more commands take rights that you do not have here: they come with a role by </channel settings>, or by owning or moderating a channel.`,
            ];
      return {
        embeds: [
          {
            title: "Castellan: Farcaster channels, run from here",
            description: ["Click a command to type it.", ...more].join("\n"),
            fields: [...fields, { name: "Good to know", value: limits.join("\n") }],
            color: colors.plain,
          },
        ],
      };
    },
  });
}

/** Of each description: all commands have to fit into one message, 6,000 characters with their mentions. */
const mostOfEach = 42;

/** Discord's limit for a field, and by how much a mention is longer than its marker: a colon and Discord's id. */
const mostInField = 1024;
const idLength = 21;

/** Lines in as many texts as it takes; none is cut. */
function splitLines(lines: readonly string[]): string[] {
  const texts: string[] = [];
  let room = 0;
  for (const line of lines) {
    const length = line.length + idLength + 1;
    if (length > room) {
      texts.push(line);
      room = mostInField - length;
      continue;
    }
    texts.push(`${texts.pop() ?? ""}\n${line}`);
    room -= length;
  }
  return texts;
}

function describeAll(commands: readonly Command[]): Map<string, string> {
  return new Map([
    ...commands.flatMap((command): [string, string][] =>
      "handler" in command
        ? [[command.name, command.handler.description]]
        : Object.entries(command.subcommands).map(([name, { description }]) => [
            `${command.name} ${name}`,
            description,
          ]),
    ),
    ["help", "What you can do, and what Castellan cannot"],
  ]);
}

/** The groups, and one for what stands in none. */
function groupsOf(described: ReadonlyMap<string, string>): Map<string, string[]> {
  const grouped = Object.entries(groups).map(([name, paths]): [string, string[]] => [
    name,
    Object.keys(paths).filter((path) => described.has(path)),
  ]);
  const known = new Set(grouped.flatMap(([, paths]) => paths));
  return new Map([...grouped, ["More", [...described.keys()].filter((path) => !known.has(path))]]);
}

async function findUsable(context: CommandContext, paths: readonly string[]): Promise<Set<string>> {
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
