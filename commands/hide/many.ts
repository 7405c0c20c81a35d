import { z } from "zod";
import { text, type ArgumentsOf, type Preview } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { AppError } from "../../src/errors.ts";
import type { Doer } from "../../src/bot-context.ts";
import { listChannels } from "../../src/feed/render/bulk.ts";
import { authorizeAction, authorizeActions } from "../../src/moderation/authorize.ts";
import { authorizeIn } from "../../src/moderation/authorize-server.ts";
import { maxTargets } from "../../src/moderation/bulks/bulk.ts";
import {
  castColumns,
  readAgain,
  readCastLines,
  searchCasts,
  type CastSearch,
  type CastTarget,
} from "../../src/moderation/bulks/find-casts.ts";
import { amount } from "../../src/text/amount.ts";
import { escapeText } from "../../src/text/message-text.ts";
import { carryOutBulk, describeLeft, describeSamples } from "../shared/bulk.ts";
import { describeSearch, linkOption } from "../shared/cast-search.ts";
import { chooseChannel, sinceOption, optionalUser } from "../shared/options.ts";
import { readTargets, targetsFile, type Targets } from "../shared/targets.ts";
import { textView, type View } from "../../src/discord/view.ts";

type PlacedCast = CastTarget & { channelId: string };

export const ManyRequest = z.object({
  kind: z.enum(["hide", "unhide"]),
  channelIds: z.array(z.string()),
  /** The casts that were shown in the preview; later ones are not touched. */
  hashes: z.array(z.string()),
  selection: z.string(),
  subjectFid: z.int().optional(),
  reason: z.string().optional(),
});
export type ManyRequest = z.infer<typeof ManyRequest>;

/** How many casts are chosen: by a search in a channel, or by name. */
export const manyOptions = {
  user: optionalUser("Or many: only of this user: fid, @name or profile link", "any"),
  text: text({ description: "Only casts that contain this", maxLength: 200 }),
  link: linkOption,
  since: sinceOption("Only casts after this time: 2h ago, 20:00 or 2026-11-23 20:00"),
  // Without a channel they may be in any channel in which the actor may hide.
  casts: text({ description: "Or these: hashes or links, with spaces between them", maxLength: 3000 }),
  file: targetsFile("hashes or links"),
};

interface Many extends ArgumentsOf<typeof manyOptions> {
  reason: string | undefined;
  channel: string | undefined;
}

const effects = {
  hide: "Hidden in the channel for everyone; </undo> shows them again. Replies to them stay.",
  unhide:
    "They are shown again, no matter who hid them. Replies hidden by a ban stay hidden as long as it lasts.",
};

/** Hides visible casts, or shows hidden ones again. */
export async function previewMany(
  context: CommandContext,
  kind: ManyRequest["kind"],
  { user, text: typed, link, since, casts, file, reason, channel: given }: Many,
): Promise<Preview<ManyRequest>> {
  const hidden = kind === "unhide";
  const isFromAnywhere = file === undefined && casts !== undefined && given === undefined;
  const allowed = isFromAnywhere
    ? await authorizeIn(context, context.actor, "hide")
    : [await chooseChannel(context, given)];
  const [first = ""] = allowed;
  if (!isFromAnywhere) await authorizeAction(context, context.actor, first, "hide");
  const search = { channelId: first, hidden, fid: user?.fid, text: typed, link, since };
  const named = file ?? casts;
  const targets: Targets<PlacedCast> = named
    ? await readTargets(
        named,
        castColumns,
        (lines) => readCastLines(context, { channelIds: allowed, hidden }, lines),
        (cast) => `fid ${cast.fid}`,
      )
    : await findTargets(context, search);
  const places = [...new Set(targets.found.map(({ channelId }) => channelId))].toSorted();
  const { channelIds, left } = isFromAnywhere
    ? await authorizeHiding(context, places)
    : { channelIds: places, left: [] };
  const found = targets.found.filter(({ channelId }) => channelIds.includes(channelId));
  const what = `${amount(found.length, "cast")} in ${listChannels(channelIds.map((id) => `/${id}`))}`;
  const verb = hidden ? "Show" : "Hide";
  const lines = [
    ...(named ? [] : [describeSearch(search, user)]),
    ...targets.lines,
    ...(reason === undefined ? [] : [`Reason: ${escapeText(reason)}`]),
    "",
    ...(await describeSamples(context, found)),
    ...(found.length === 0 ? [] : ["", effects[kind]]),
    ...describeLeft(left),
  ];
  const title = found.length === 0 ? `No cast to ${kind}` : `${verb} ${what}?`;
  const color = found.length === 0 ? "plain" : "warning";
  const view = { ...textView(color, lines, { title }), files: targets.files };
  if (found.length === 0) return { view };
  const selection = file ? "casts from a file" : casts ? "chosen casts" : aboutSearch(search);
  const hashes = found.map(({ hash }) => hash);
  return {
    view,
    state: { kind, channelIds, hashes, selection, subjectFid: user?.fid, reason },
    confirmLabel: hashes.length === 1 ? `${verb} it` : `${verb} all of them`,
  };
}

export async function changeMany(
  context: CommandContext,
  { kind, channelIds: shown, hashes, selection, subjectFid, reason }: ManyRequest,
): Promise<View> {
  const { query } = context.database;
  const hidden = kind === "unhide";
  const casts: PlacedCast[] = [];
  const { channelIds, by, left } = await authorizeHiding(context, shown);
  for (const channelId of channelIds) {
    const known = await readAgain(query, { channelId, hidden }, hashes);
    casts.push(...known.map((cast) => ({ ...cast, channelId })));
  }
  const [first] = casts;
  if (!first || !by) {
    throw new AppError(
      "invalid_input",
      `All ${hashes.length} of them are ${hidden ? "shown" : "hidden"} or removed by now.`,
    );
  }
  const actions = casts.map((cast) => ({
    kind,
    channelId: cast.channelId,
    targetCast: cast.hash,
    evidence: cast.body,
  }));
  const request = { channelId: first.channelId, kind, selection, subjectFid, by, reason };
  return carryOutBulk(context, { ...request, leavesOutRequested: true }, actions, {
    notes: describeLeft(left),
  });
}

interface Hiding {
  /** The channels in which the actor and Castellan may hide. */
  channelIds: string[];
  by: Doer | undefined;
  /** The other channels, and why not there. */
  left: string[];
}

/** Throws if it is allowed in none of these channels. */
async function authorizeHiding(context: CommandContext, channelIds: readonly string[]): Promise<Hiding> {
  const hiding: Hiding = { channelIds: [], by: undefined, left: [] };
  if (channelIds.length === 0) return hiding;
  const rights = await authorizeActions(context, context.actor, channelIds, "hide");
  let error: AppError | undefined;
  for (const channelId of channelIds) {
    const right = rights.get(channelId);
    if (right instanceof AppError) {
      error ??= right;
      hiding.left.push(`✖ /${channelId}: ${right.message}`);
    } else if (right) {
      hiding.by ??= right.by;
      hiding.channelIds.push(channelId);
    }
  }
  if (hiding.channelIds.length === 0 && error) throw error;
  return hiding;
}

async function findTargets(context: CommandContext, search: CastSearch): Promise<Targets<PlacedCast>> {
  if ([search.fid, search.text, search.link, search.since].every((one) => one === undefined)) {
    throw new AppError("invalid_input", "Choose a cast, or many by user, text, link, time or file.");
  }
  const { casts, total } = await searchCasts(context.database.query, search, maxTargets);
  const left = total - casts.length;
  const rest = `The newest ${casts.length} of ${total}, because one bulk takes at most ${maxTargets}. The other ${left} stay unchanged.`;
  const found = casts.map((cast) => ({ ...cast, channelId: search.channelId }));
  return { found, lines: left > 0 ? [rest] : [], files: [] };
}

/** The text that rooms show; the user's name is added when it is shown. */
function aboutSearch({ text: words, link, fid }: CastSearch): string {
  return [
    "casts",
    ...(words === undefined ? [] : [`with “${words}”`]),
    ...(link === undefined ? [] : [`with the link “${link}”`]),
    ...(fid === undefined ? [] : ["of"]),
  ].join(" ");
}
