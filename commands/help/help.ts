import { answer, oneOf, type Command, type Handler } from "../../src/discord/command.ts";
import { discordLimits } from "../../src/limits/discord-limits.ts";
import { colors } from "../../src/text/colors.ts";
import { findUsable, groups, isForEverybody } from "./usable.ts";

const limits = [
  "- Bans, restrictions, invites and members are read every ten seconds: what came and went between two reads is not seen.",
  "- Records of hidden casts carry no name: what others did shows as done outside Castellan.",
  "- A ban hides a user's replies, present and new. They can still post casts of their own, and those show: `hide_casts` hides the present ones, </hide> a new one.",
  "- Lifting a ban leaves the user restricted, and no announcement can be taken back.",
  "- Discord offers most commands to moderators alone: the server's settings open them to others under Integrations.",
  "- Only a channel's owner changes who moderates it, in their own app.",
];

/** Explains the commands that whoever asks may use; their descriptions are the commands' own, so that it never lags behind. */
export function help(commands: readonly Command[]): Handler {
  return answer({
    description: "What you can do with Castellan, and what it cannot",
    options: {
      about: oneOf(Object.keys(groups), { description: "Only commands about this, with what each does" }),
    },
    async run(context, { about }) {
      const described = describeAll(commands);
      const usable = await findUsable(context, [...described.keys()]);
      const shown = groupsOf(described)
        .filter(([name]) => about === undefined || name === about)
        .map(([name, paths]): Group => [name, paths.filter((path) => usable.has(path))])
        .filter(([, paths]) => paths.length > 0);
      const explained = shown.flatMap((group) => explain(group, described));
      const brief = about === undefined && countAll(explained) > mostInHelp;
      const hidden = described.size - usable.size;
      const hasRights = [...usable].some((path) => !isForEverybody(path));
      const notes = [
        about !== undefined && shown.length === 0
          ? "You may use none of these commands here."
          : "Click a command to type it.",
        ...(brief ? ["`/help about:` tells what each of a group does."] : []),
        ...(hidden === 0 || about !== undefined
          ? []
          : [hasRights ? withoutRight(hidden, context.actor.managesServer) : withoutAnyRight(hidden)]),
      ];
      const fields = [
        ...(brief ? shown.map(name) : explained),
        ...(about === undefined && hasRights ? [{ name: "Good to know", value: limits.join("\n") }] : []),
      ];
      const title = "Castellan: Farcaster channels, run from here";
      return { embeds: [{ title, description: notes.join("\n"), fields, color: colors.plain }] };
    },
  });
}

/** A group's name, and its commands. */
type Group = [name: string, paths: string[]];
interface Field {
  name: string;
  value: string;
}

/** What fits in Discord's 6000 beside the title and what is good to know. */
const mostInHelp = 4600;

function withoutRight(count: number, managesServer: boolean): string {
  const linking = managesServer ? "" : " To link a channel takes Manage Server.";
  return `${count} more commands take rights that you do not have here: they come with a role by </channel settings>, or by owning or moderating a channel.${linking}`;
}

/** To whom nothing but what every member may do is open. */
function withoutAnyRight(count: number): string {
  return `The other ${count} commands are for those who moderate. You are one of them once you own or moderate a channel of this server on Farcaster and have verified this Discord account there, or once the channel's owner gives rights to a role of yours.`;
}

/** A group's commands, one a line with what it does. */
function explain([name, paths]: Group, described: ReadonlyMap<string, string>): Field[] {
  const lines = paths.map((path) => `</${path}> ${described.get(path) ?? ""}`);
  return splitLines(lines).map((value, index) => ({ name: index === 0 ? name : `${name}, too`, value }));
}

/** A group's commands alone. */
function name([group, paths]: Group): Field {
  return { name: group, value: paths.map((path) => `</${path}>`).join(" ") };
}

/** How long fields become, with the commands' mentions. */
function countAll(fields: readonly Field[]): number {
  const count = (text: string) => text.length + idLength * (text.match(/<\//g)?.length ?? 0);
  return fields.reduce((sum, field) => sum + field.name.length + count(field.value), 0);
}

/** By how much a mention is longer than its marker: a colon and Discord's id. */
const idLength = 21;

/** Lines in as many texts as it takes; none is cut. */
function splitLines(lines: readonly string[]): string[] {
  const texts: string[] = [];
  let room = 0;
  for (const line of lines) {
    const length = line.length + idLength + 1;
    if (length > room) {
      texts.push(line);
      room = discordLimits.fieldValue - length;
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
function groupsOf(described: ReadonlyMap<string, string>): Group[] {
  const grouped = Object.entries(groups).map(([name, paths]): Group => [
    name,
    Object.keys(paths).filter((path) => described.has(path)),
  ]);
  const known = new Set(grouped.flatMap(([, paths]) => paths));
  return [...grouped, ["More", [...described.keys()].filter((path) => !known.has(path))]];
}
