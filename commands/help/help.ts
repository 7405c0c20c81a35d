import { answer, oneOf, type Command, type Handler } from "../../src/discord/command.ts";
import { discordLimits } from "../../src/limits/discord-limits.ts";
import { listHandlers } from "../../src/discord/find-handler.ts";
import { isForEveryone, isMet, type Needs } from "../../src/discord/needs.ts";
import { listHeld } from "./list-held.ts";
import { textView } from "../../src/discord/view.ts";

const limits = [
  "- Bans, restrictions, invites and members are read every ten seconds: what came and went between two reads is not seen.",
  "- Records of hidden casts carry no name: what others did shows as done outside Castellan.",
  "- A ban hides a user's replies, present and new. They can still post casts of their own, and those show: `hide_casts` hides the present ones, </hide> a new one.",
  "- Lifting a ban leaves the user restricted, and no announcement can be taken back.",
  "- Discord offers most commands to moderators alone: the server's settings open them to others under Integrations.",
  "- Only a channel's owner changes who moderates it, in their own app.",
];

/** The commands by what one wants to do; headings and commands in the order in which they are shown. */
export type Groups = Readonly<Record<string, readonly Command[]>>;

/** Explains the commands that whoever asks may use; their descriptions are the commands' own, so that it never lags behind. */
export function help(groups: Groups): Handler {
  const described = Object.entries(groups).map(([name, commands]): Group => [name, toLines(commands)]);
  described.at(-1)?.[1].push(itself);
  const lines = described.flatMap(([, lines]) => lines);
  return answer({
    description: "What you can do with Castellan, and what it cannot",
    needs: itself.needs,
    options: {
      about: oneOf(Object.keys(groups), { description: "Only commands about this, with what each does" }),
    },
    async run(context, { about }) {
      const held = await listHeld(context);
      const usable = lines.filter(({ needs }) => isMet(needs, held));
      const shown = described
        .filter(([name]) => about === undefined || name === about)
        .map(([name, lines]): Group => [name, lines.filter((line) => usable.includes(line))])
        .filter(([, lines]) => lines.length > 0);
      const explained = shown.flatMap(explain);
      const brief = about === undefined && countAll(explained) > maxInHelp;
      const hidden = lines.length - usable.length;
      const hasRights = usable.some(({ needs }) => !isForEveryone(needs));
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
      return textView("plain", notes, { title, fields });
    },
  });
}

/** One command that can be typed. */
interface Line {
  path: string;
  description: string;
  needs: Needs;
}
type Group = [name: string, lines: Line[]];
interface Field {
  name: string;
  value: string;
}

const itself: Line = {
  path: "help",
  description: "What you can do, and what Castellan cannot",
  needs: "everyone",
};

function toLines(commands: readonly Command[]): Line[] {
  return listHandlers(commands).map(([path, { description, needs }]) => ({ path, description, needs }));
}

/** What fits in Discord's 6000 beside the title and what is good to know. */
const maxInHelp = 4600;

function withoutRight(count: number, managesServer: boolean): string {
  const linking = managesServer ? "" : " To link a channel takes Manage Server.";
  return `${count} more commands take rights that you do not have here: they come with a role by </channel settings>, or by owning or moderating a channel.${linking}`;
}

/** To whom nothing but what every member may do is open. */
function withoutAnyRight(count: number): string {
  return `The other ${count} commands are for those who moderate. You are one of them once you own or moderate a channel of this server on Farcaster and have verified this Discord account there, or once the channel's owner gives rights to a role of yours.`;
}

/** A group's commands, one a line with what it does. */
function explain([name, lines]: Group): Field[] {
  const texts = lines.map(({ path, description }) => `</${path}> ${description}`);
  return splitLines(texts).map((value, index) => ({ name: index === 0 ? name : `${name}, too`, value }));
}

/** A group's commands alone. */
function name([group, lines]: Group): Field {
  return { name: group, value: lines.map(({ path }) => `</${path}>`).join(" ") };
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
