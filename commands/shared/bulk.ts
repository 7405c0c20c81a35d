import { setTimeout as delay } from "node:timers/promises";
import type { CommandContext } from "../../src/discord/command-context.ts";
import type { View } from "../../src/discord/view.ts";
import { describeBulk } from "../../src/feed/render/bulk.ts";
import { readBulks } from "../../src/feed/render/bulk-summary.ts";
import { beginBulk, type BulkAction, type NewBulk } from "../../src/moderation/bulks/begin.ts";
import { readBulk } from "../../src/moderation/bulks/bulk.ts";
import { runBulk } from "../../src/moderation/bulks/run.ts";
import { bulksPurpose } from "../../src/observe/live/call-limits.ts";
import { inBackground } from "../../src/observe/live/live-context.ts";
import type { CastTarget } from "../../src/moderation/bulks/find-casts.ts";
import { readNames, describeUser } from "../../src/observe/people.ts";
import { fitLinesOrCount, inlineCode, listSome } from "../../src/text/message-text.ts";
import { castLine } from "../../src/text/show-cast.ts";
import { bulkButtons } from "./leading-buttons.ts";

/** How long an answer is updated, in milliseconds; Discord lets it be edited for fifteen minutes. */
const timeoutMs = 10 * 60_000;
/** Milliseconds between two edits of it. */
const editEvery = 2_000;
/** A bulk that rests for longer is not waited for, in milliseconds. */
const longRest = 30_000;

/** Stores a bulk with all its cases, carries it out, and shows the progress and the outcome. */
export async function carryOutBulk(
  context: CommandContext,
  asked: Omit<NewBulk, "guildId">,
  actions: readonly BulkAction[],
  shown?: Shown,
): Promise<View> {
  const { database, actor } = context;
  const bulk = { ...asked, guildId: actor.guildId };
  const { id } = await database.transaction((tx) => beginBulk(context, tx, bulk, actions));
  return followAndOffer(context, id, shown);
}

/** Follows it, and offers to stop it, or to undo what it did. */
export async function followAndOffer(context: CommandContext, id: number, shown?: Shown): Promise<View> {
  const view = await followBulk(context, id, shown);
  const summary = (await readBulks(context.database.query, [id])).get(id);
  const buttons = summary ? bulkButtons(summary) : [];
  return buttons.length === 0 ? view : { ...view, buttons: [buttons] };
}

/** How a bulk is shown. */
interface Shown {
  /** Lines below it. */
  notes?: readonly string[];
  /** Only what is in these channels; everything if left out. */
  viewed?: readonly string[];
}

/** Works on a bulk, or watches another process work on it, and updates the answer. The bulk does not depend on the command. */
export async function followBulk(context: CommandContext, bulkId: number, shown: Shown = {}): Promise<View> {
  const { database, clock } = context;
  const until = performance.now() + timeoutMs;
  let told = performance.now();
  const onProgress = async () => {
    if (performance.now() - told < editEvery) return;
    told = performance.now();
    await context.showProgress(await showBulk(context, bulkId, shown));
  };
  const behindPeople = inBackground(context, bulksPurpose);
  while (performance.now() < until) {
    await runBulk(behindPeople, bulkId, { until, onProgress });
    const { endedAtMs, retryAtMs } = await readBulk(database.query, bulkId);
    if (endedAtMs !== null) return showBulk(context, bulkId, shown);
    if ((retryAtMs ?? 0) - clock.now() > longRest) break;
    await onProgress();
    await delay(500);
  }
  return showBulk(context, bulkId, {
    ...shown,
    notes: ["It continues in the background. /case show has its progress.", ...(shown.notes ?? [])],
  });
}

/** A bulk's current state. */
export async function showBulk(
  context: CommandContext,
  bulkId: number,
  { notes = [], viewed }: Shown = {},
): Promise<View> {
  const bulk = (await readBulks(context.database.query, [bulkId], viewed)).get(bulkId);
  if (!bulk) throw new Error(`bulk ${bulkId} is gone`);
  const { description, ...embed } = describeBulk(bulk);
  return { embeds: [{ ...embed, description: [description, ...notes].join("\n") }] };
}

/** The channels that a bulk does not reach, and why not. */
export function describeLeft(left: readonly string[]): string[] {
  return left.length === 0 ? [] : ["", "**Left out:**", fitLinesOrCount(left, 1000)];
}

/** The most casts shown of many. */
const maxSamples = 5;

/** The first of many casts, one per line, and the number of the others. */
export async function describeSamples(
  { database }: CommandContext,
  casts: readonly CastTarget[],
): Promise<string[]> {
  const names = await readNames(
    database.query,
    casts.slice(0, maxSamples).flatMap(({ fid, body }) => [fid, ...body.mentions]),
  );
  return listSome(
    casts,
    maxSamples,
    ({ fid, body }) =>
      `> ${describeUser({ fid, name: names.get(fid) })} ${inlineCode(castLine(body, names, 80), 80)}`,
  );
}
