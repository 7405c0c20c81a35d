import { commands } from "../../commands/index.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import type { RawValues } from "../../src/discord/command.ts";
import { findHandler } from "../../src/discord/find-handler.ts";
import { readArguments } from "../../src/discord/run-command.ts";
import { AppError } from "../../src/errors.ts";
import { expireBans } from "../../src/moderation/cases/expire.ts";
import { createProposeRuleAction } from "../../src/moderation/cases/propose-rule-action.ts";
import { resolveEchoes } from "../../src/moderation/cases/resolve-echoes.ts";
import { pollListings } from "../../src/observe/listings/poll-listings.ts";
import { followLinks } from "../../src/observe/sources.ts";
import { pollRecords } from "../../src/observe/records/poll-records.ts";
import type { RuleAction } from "../../src/rules/actions/action.ts";
import { castRow } from "../support/rules.ts";
import { firstAnswer, preview, textOf } from "../support/confirmed.ts";
import {
  commandContext,
  people,
  seedChannel,
  verifyDiscord,
  withSettings,
  type World,
} from "../support/world.ts";
import { runOpenBulks, applyOpenCases } from "../support/jobs.ts";

/** Whom and what histories are about. */
export const targets = [people.troll, people.member] as const;
/** Casts of each target. */
export const castsEach = 2;
const moderators = ["1001", "1002"] as const;

/** A channel of its own, linked to a server of its own, in which a history happens. */
export interface Place {
  bot: World;
  guildId: string;
  channelId: string;
  /** Hashes; the first are the first target's. */
  casts: string[];
  /** Events that rules acted on. */
  events: number;
  /** Cases that the model has taken in. */
  followed: Set<number>;
  /** Of those, by id, until when their target was banned before; UNIX milliseconds, null for good or not at all. */
  endsBefore: Map<number, number | null>;
}

/** Once for a database: who moderates is known to the network. */
export async function prepareStaff(bot: World): Promise<void> {
  await verifyDiscord(bot, people.owner, moderators[0]);
  await verifyDiscord(bot, people.moderator, moderators[1]);
}

export async function openPlace(bot: World, number: number): Promise<Place> {
  const [guildId, channelId] = [`g${number}`, `history-${number}`];
  await seedChannel(bot, channelId, guildId);
  const casts: string[] = [];
  for (const fid of targets) {
    for (let index = 0; index < castsEach; index += 1) {
      const text = `history ${number} ${fid} ${index}`;
      const hash = await bot.net.seed.cast({ fid, channelId, text });
      casts.push(hash);
      const row = { ...castRow(hash, { fid, text, hidden: false }), channel_id: channelId };
      await bot.database.query.insertInto("castellan.casts").values(row).execute();
    }
  }
  const memory = { followed: new Set<number>(), endsBefore: new Map<number, number | null>() };
  const place = { bot, guildId, channelId, casts, events: number * 1000, ...memory };
  await followLinks(bot);
  await observe(place);
  return place;
}

function contextOf({ bot, guildId }: Place, moderator: number): CommandContext {
  const userId = moderators[moderator % moderators.length] ?? moderators[0];
  return commandContext(bot, { userId, guildId, roomId: "1", roleIds: [], managesServer: false });
}

/** Types a command and confirms; what came of it, or `refused` with what was told. */
export async function type(
  place: Place,
  moderator: number,
  path: string,
  raw: RawValues,
): Promise<{ asked: string; told: string } | { refused: string }> {
  const context = contextOf(place, moderator);
  // A person's card is about all channels.
  const full = path === "who" ? raw : { ...raw, channel: place.channelId };
  try {
    const handler = findHandler(commands, path);
    if (handler?.kind === "answer" || handler?.kind === "listing") {
      const given = await readArguments(context, handler.options, full);
      const view =
        handler.kind === "answer"
          ? await handler.run(context, given)
          : (await handler.page(context, given, undefined)).view;
      return { asked: "", told: [textOf(view), JSON.stringify(view.embeds?.[0]?.fields ?? [])].join("\n") };
    }
    if (handler?.kind !== "confirm") throw new Error(`/${path} asks nothing`);
    const args = await readArguments(context, handler.options, full);
    const shown = await handler.preview(context, args);
    const { view } = shown;
    const { state } = firstAnswer(shown);
    if (state === undefined) return { refused: textOf(view) };
    // As it comes from the database.
    const done = await handler.act(context, JSON.parse(JSON.stringify(state)));
    return { asked: textOf(view), told: textOf(done) };
  } catch (error) {
    if (error instanceof AppError) return { refused: error.message };
    throw error;
  }
}

/** What /undo would do, without doing it. */
export async function previewUndo(place: Place, number: number): Promise<string> {
  try {
    return (await preview(contextOf(place, 0), "undo", { what: String(number), channel: place.channelId }))
      .text;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

export async function readPage(place: Place, path: string, options: RawValues): Promise<string> {
  const handler = findHandler(commands, path);
  const context = contextOf(place, 0);
  if (handler?.kind !== "listing") throw new Error(`/${path} is no list`);
  const raw = { ...options, channel: place.channelId };
  const { view } = await handler.page(context, await readArguments(context, handler.options, raw), undefined);
  return textOf(view);
}

/** A rule does this by itself. */
export async function actByRule(place: Place, action: RuleAction["action"]): Promise<void> {
  const { bot, guildId, channelId } = place;
  place.events += 1;
  const origin = { guildId, channelId, eventId: place.events, ruleId: "model", ruleVersion: 1 };
  const rest = { actionIndex: 0, actionSource: "rule" as const, reviewRound: 0, depth: 1, evidence: null };
  const propose = createProposeRuleAction(bot.clock);
  await bot.database.transaction((tx) => propose(tx, { ...origin, ...rest, action }));
  await applyOpenCases(bot);
}

/** Time passes, and what ends in time ends. */
export async function pass(place: Place, seconds: number): Promise<void> {
  place.bot.clock.advance(seconds);
  await expireBans(place.bot);
}

/**
 * The process dies at a call to the network, before or after it has its effect: what works there never hears of it again. Another
 * goes on with the rows once its leases are over.
 */
export async function dieAt(
  place: Place,
  when: "before" | "after",
  work: (dying: Place) => Promise<unknown>,
): Promise<void> {
  const { bot } = place;
  let died = () => {};
  const death = new Promise<void>((resolve) => (died = resolve));
  const hang = () => {
    died();
    return new Promise<never>(() => {});
  };
  const { channelBans, moderatedCasts } = bot.network;
  const dyingAt =
    <Given extends unknown[], Result>(call: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      if (when === "after") await call(...given);
      return hang();
    };
  const network = {
    ...bot.network,
    channelBans: { ...channelBans, ban: dyingAt(channelBans.ban), unban: dyingAt(channelBans.unban) },
    moderatedCasts: { ...moderatedCasts, moderate: dyingAt(moderatedCasts.moderate) },
  };
  await Promise.race([work({ ...place, bot: { ...bot, network } }), death]);
  place.bot = withSettings(bot, {});
  place.bot.clock.advance(121);
  await applyOpenCases(place.bot);
  await runOpenBulks(place.bot);
  await expireBans(place.bot);
}

/** Reads what the network shows, as the polls do, and takes it in; long enough after what was done. */
export async function observe({ bot, channelId }: Place): Promise<void> {
  await pollRecords(bot, channelId);
  await pollListings(bot, channelId);
  bot.clock.advance(11);
  await pollRecords(bot, channelId);
  await pollListings(bot, channelId);
  await resolveEchoes(bot);
}
