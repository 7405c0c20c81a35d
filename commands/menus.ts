import { ChoiceNeeded } from "../src/discord/choices.ts";
import type { Possibility } from "../src/discord/command.ts";
import type { CommandContext } from "../src/discord/command-context.ts";
import type { MenuCommand, MenuTarget } from "../src/discord/menu-command.ts";
import { AppError } from "../src/errors.ts";
import { TranslatedError } from "../src/languages/translated-error.ts";
import { findMentioned, type Mentioned } from "../src/feed/find-mentioned.ts";
import { findOwnFids } from "../src/moderation/own-channels.ts";
import { readNames, nameUser } from "../src/observe/people.ts";
import { castLine } from "../src/text/show-cast.ts";
import { showNumber } from "../src/text/numbered.ts";

/** The context menus of messages and of people. Each runs a slash command for the message or person it was opened on. */
export const menuCommands: readonly MenuCommand[] = [
  {
    name: "Explain",
    on: "message",
    path: "rule explain",
    fill: fromMessage("an event or a cast", (one) =>
      one.eventId === undefined ? cited(one) : { event: showNumber("event", one.eventId) },
    ),
  },
  { name: "Hide", on: "message", path: "hide", fill: fromMessage("a cast", cited) },
  { name: "Ban author", on: "message", path: "ban", fill: fromMessage("a person", authored) },
  { name: "History", on: "message", path: "case show", fill: fromMessage("a person", authored) },
  {
    name: "Who",
    on: "message",
    path: "who",
    fill: fromMessage("a person", ({ fid }) => (fid === undefined ? undefined : { user: String(fid) })),
  },
  {
    name: "Report",
    on: "message",
    path: "report",
    asks: ({ reports }) => ({
      reason: { label: reports.reasonLabel, value: "", maxLength: 300, optional: true },
    }),
    fill: fromMessage("a cast", cited),
  },
  { name: "Block", on: "message", path: "list add", fill: fromMessage("a cast", cited) },
  { name: "Who", on: "user", path: "who", fill: fromPerson },
  { name: "History", on: "user", path: "case show", fill: fromPerson },
];

type Filled = Possibility["raw"];

function cited({ castHash }: Mentioned): Filled | undefined {
  return castHash === undefined ? undefined : { cast: castHash };
}

function authored({ fid, channelId }: Mentioned): Filled | undefined {
  if (fid === undefined) return undefined;
  return { user: String(fid), ...(channelId !== undefined && { channel: channelId }) };
}

type Wanted = "a cast" | "a person" | "an event or a cast";

/** Fills in the one subject of the message; asks if there are several. */
function fromMessage(
  wanted: Wanted,
  fill: (mentioned: Mentioned) => Filled | undefined,
): MenuCommand["fill"] {
  return async (context, target) => choose(context, wanted, await listSubjects(context, target, fill));
}

async function listSubjects(
  context: CommandContext,
  target: MenuTarget,
  fill: (mentioned: Mentioned) => Filled | undefined,
): Promise<Possibility[]> {
  if (target.kind !== "message") throw new Error("not opened on a message");
  const { roomId, guildId } = context.actor;
  const mentioned = await findMentioned(context, { ...target, roomId, guildId });
  const names = await readNames(
    context.database.query,
    mentioned.flatMap(({ fid, body }) => [...(fid === undefined ? [] : [fid]), ...(body?.mentions ?? [])]),
  );
  const possible = new Map<string, Possibility>();
  for (const one of mentioned) {
    const raw = fill(one);
    const key = JSON.stringify(raw);
    if (raw && !possible.has(key)) possible.set(key, { ...describe(one, names), raw });
  }
  return [...possible.values()];
}

function choose(context: CommandContext, wanted: Wanted, possible: readonly Possibility[]): Filled {
  const [only, another] = possible;
  if (!only && wanted === "a cast") throw new TranslatedError("invalid_input", ({ menus }) => menus.noCast);
  if (!only) throw new AppError("invalid_input", `This message is not about ${wanted} that Castellan knows.`);
  if (!another) return only.raw;
  const { whichOne, chooseOne } = context.texts.menus;
  throw new ChoiceNeeded(whichOne, possible, chooseOne);
}

function describe(
  { fid, body, channelId, eventId, kind }: Mentioned,
  names: ReadonlyMap<number, string>,
): Pick<Possibility, "label" | "description"> {
  const who = fid === undefined ? "" : nameUser({ fid, name: names.get(fid) });
  const where = channelId === undefined ? "" : ` in /${channelId}`;
  const event = eventId === undefined ? "" : showNumber("event", eventId);
  const label = `${who}${where}` || event;
  const what = kind === undefined ? "" : kind.replace(/[._]/g, " ");
  const description = [what, event, body ? castLine(body, names, 80) : ""].filter(Boolean).join(" · ");
  return { label, ...(description && { description }) };
}

/** The Farcaster account of a member of this server, if they have proved it. */
async function fromPerson(context: CommandContext, target: MenuTarget): Promise<Filled> {
  if (target.kind !== "user") throw new Error("not opened on a person");
  const fids = await findOwnFids(context, { guildId: context.actor.guildId, userId: target.userId });
  const [only, another] = fids;
  if (only === undefined) {
    throw new AppError(
      "invalid_input",
      `Castellan does not know the Farcaster account of <@${target.userId}>, because no account has verified this Discord account${context.live ? " here (/setup link)" : ""}.`,
    );
  }
  if (another === undefined) return { user: String(only) };
  const names = await readNames(context.database.query, fids);
  const possibilities = fids.map((fid) => ({ ...describe({ fid }, names), raw: { user: String(fid) } }));
  throw new ChoiceNeeded("Which account?", possibilities, "They hold several accounts.");
}
