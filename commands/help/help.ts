import { answer, oneOf, type Command, type Handler } from "../../src/discord/command.ts";
import { discordLimits } from "../../src/limits/discord-limits.ts";
import { listHandlers } from "../../src/discord/find-handler.ts";
import { isForEveryone, isMet, type Needs } from "../../src/discord/needs.ts";
import { linkConsole } from "../shared/link-console.ts";
import { listHeld } from "./list-held.ts";
import { en, type Texts } from "../../src/languages/en.ts";
import { findText, localize } from "../../src/languages/languages.ts";
import { textView } from "../../src/discord/view.ts";

const limits = [
  "- Bans, restrictions, invites and members are read every ten seconds, so a change that is reverted between two reads is not seen.",
  "- The network's records of hidden casts name no moderator, so actions by others show as done outside Castellan.",
  "- A ban hides a user's replies, present and new. They can still post casts that are not replies, and those show. `hide_casts` hides the existing ones, </hide> hides a new one.",
  "- Lifting a ban leaves the user restricted, and no announcement can be undone.",
  "- Discord shows most commands only to moderators. To show them to others, open the server's settings, then Integrations.",
  "- Only a channel's owner can change who moderates it, in their own app.",
];

/** The commands by task; headings and commands in the order in which they are shown. */
export type Groups = Readonly<Record<string, readonly Command[]>>;

/** Explains the commands that the actor may use, with the commands' own descriptions. */
export function help(groups: Groups): Handler {
  const described = Object.entries(groups).map(([name, commands]): Group => [name, toLines(commands)]);
  described.at(-1)?.[1].push(itself);
  const lines = described.flatMap(([, lines]) => lines);
  return answer({
    description: en.descriptions.help,
    needs: itself.needs,
    options: {
      about: {
        ...oneOf(Object.keys(groups), { description: en.descriptions["help:about"] }),
        choices: Object.keys(groups).map((name) => ({
          name,
          value: name,
          nameLocalizations: localize(({ topics }) => topics, name),
        })),
      },
    },
    async run(context, { about }) {
      const held = await listHeld(context);
      const usable = lines.filter(({ needs }) => isMet(needs, held));
      const shown = described
        .filter(([name]) => about === undefined || name === about)
        .map(([name, lines]): Group => [name, lines.filter((line) => usable.includes(line))])
        .filter(([, lines]) => lines.length > 0);
      const hasRights = usable.some(({ needs }) => !isForEveryone(needs));
      // What moderators read is in English.
      const texts = hasRights ? en : context.texts;
      const explained = shown.flatMap((group) => explain(texts, group));
      const brief = about === undefined && countAll(explained) > maxInHelp;
      const hidden = lines.length - usable.length;
      const notes = [
        about !== undefined && shown.length === 0 ? texts.help.none : texts.help.click,
        ...(brief ? ["`/help about:` explains the commands of a group."] : []),
        ...(hasRights ? linkConsole(context) : []),
        ...(hidden === 0 || about !== undefined
          ? []
          : [hasRights ? withoutRight(hidden, context.actor.managesServer) : withoutAnyRight(texts, hidden)]),
      ];
      const fields = [
        ...(brief ? shown.map(name) : explained),
        ...(about === undefined && hasRights ? [{ name: "Good to know", value: limits.join("\n") }] : []),
      ];
      return textView("plain", notes, { title: texts.help.title, fields });
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
  description: en.descriptions.help,
  needs: "everyone",
};

function toLines(commands: readonly Command[]): Line[] {
  return listHandlers(commands).map(([path, { description, needs }]) => ({ path, description, needs }));
}

/** What fits into Discord's 6000 characters next to the title and the notes. */
const maxInHelp = 4600;

function withoutRight(count: number, managesServer: boolean): string {
  const linking = managesServer ? "" : " Linking a channel takes Manage Server.";
  const hidden = count === 1 ? "1 more command needs" : `${count} more commands need`;
  return `${hidden} permissions that you do not have here. You get them by a role (see </setup permissions>), or by owning or moderating a channel.${linking}`;
}

/** For somebody without any rights beyond a member's. */
function withoutAnyRight({ help }: Texts, count: number): string {
  return `${help.forModerators(count)} ${help.becomeModerator}`;
}

/** A group's commands with their descriptions, one per line. */
function explain({ descriptions, topics }: Texts, [group, lines]: Group): Field[] {
  const described = lines.map(
    ({ path, description }) => `</${path}> ${findText(descriptions, path) ?? description}`,
  );
  const topic = findText(topics, group) ?? group;
  return splitLines(described).map((value, index) => ({
    name: index === 0 ? topic : `${topic}, too`,
    value,
  }));
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

/** Distributes lines over as many texts as needed; cuts none. */
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
