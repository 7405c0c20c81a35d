import { z } from "zod";
import { text, type ArgumentsOf, type AttachedFile, type Preview } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { AppError } from "../../src/errors.ts";
import { authorizeAction } from "../../src/moderation/authorize.ts";
import { maxTargets } from "../../src/moderation/bulks/bulk.ts";
import {
  readUserLines,
  searchAuthors,
  searchBanned,
  userColumns,
} from "../../src/moderation/bulks/find-users.ts";
import type { CastFilter } from "../../src/moderation/bulks/find-casts.ts";
import { listSavedReasons } from "../../src/moderation/saved-reasons.ts";
import { nameWithFid, withNames, type User } from "../../src/observe/people.ts";
import { amount } from "../../src/text/amount.ts";
import { writeSince } from "../../src/text/since.ts";
import { escapeText } from "../../src/text/message-text.ts";
import { carryOutBulk } from "../shared/bulk.ts";
import { linkOption } from "../shared/cast-search.ts";
import { chooseChannel, sinceOption } from "../shared/options.ts";
import { askOrConfirm, chooseLength } from "../shared/ban-question.ts";
import { readTargets, targetsFile, type Targets } from "../shared/targets.ts";
import { carryOutBans, describeUsers, planBans } from "./plan-bans.ts";
import { textView, type View } from "../../src/discord/view.ts";

export const maxReason = 500;

export const ManyRequest = z.object({
  kind: z.enum(["ban", "unban"]),
  channelId: z.string(),
  fids: z.array(z.int()),
  selection: z.string(),
  reason: z.string().optional(),
  forSeconds: z.int().optional(),
});
type ManyRequest = z.infer<typeof ManyRequest>;

/** How many users are chosen: by name, or by their casts. */
export const manyOptions = {
  users: text({ description: "Or several: fids, names or links, with spaces between them", maxLength: 2000 }),
  file: targetsFile("fids, names or links"),
  text: text({ description: "Or the authors of casts that contain this", maxLength: 200 }),
  link: {
    ...linkOption,
    description: "Or casts with this link: a host such as spam.example, or an address",
  },
  since: sinceOption("Only such casts, or bans to lift, after this time: 2h ago, 20:00 or 2026-11-23 20:00"),
};

interface Requested extends ArgumentsOf<typeof manyOptions> {
  reason: string | undefined;
  channel: string | undefined;
}

export async function previewBans(
  context: CommandContext,
  requested: Requested & { duration: number | null | undefined },
): Promise<Preview<ManyRequest>> {
  const { file, users, text: words, link, since, reason } = requested;
  const channelId = await chooseChannel(context, requested.channel);
  const saved = await listSavedReasons(context.database.query, context.actor.guildId);
  const forSeconds = chooseLength(requested.duration, reason, saved);
  const { channel } = await authorizeAction(context, context.actor, channelId, "ban");
  const named = file ?? users;
  const targets: Targets<User> & Partial<Authors> = named
    ? await readUsers(context, named)
    : await findAuthors(context, channelId, { text: words, link, since });
  const plan = await planBans(context, targets.found, { channel, forSeconds, reason });
  const { found } = plan;
  const lines = [
    ...targets.lines,
    ...(targets.casts ? [describeCasts(targets.casts, found)] : []),
    ...plan.lines,
  ];
  const title = `Ban ${amount(found.length, "user")} from /${channelId}?`;
  const view = { ...textView("warning", lines, { title }), files: targets.files };
  if (found.length === 0) return { view: nobody(lines, "ban", targets) };
  const selection = file
    ? "users from a file"
    : users
      ? "chosen users"
      : `authors of casts${words === undefined ? "" : ` with “${words}”`}${link === undefined ? "" : ` with the link “${link}”`}`;
  const fids = found.map(({ fid }) => fid);
  const stateFor = (chosen: number | null) => ({
    kind: "ban" as const,
    channelId,
    fids,
    selection,
    reason,
    forSeconds: chosen ?? undefined,
  });
  const raw = {
    ...(file && { file }),
    ...(users && { users }),
    ...(words !== undefined && { text: words }),
    ...(link !== undefined && { link }),
    ...(since !== undefined && { since: writeSince(since) }),
    channel: channelId,
  };
  const label = found.length === 1 ? "Ban" : "Ban all of them";
  return { view, question: askOrConfirm({ raw, reason, maxReason, saved, stateFor }, forSeconds, label) };
}

/** Lifts bans of chosen users, of a rule, or since a time. */
export async function previewUnbans(
  context: CommandContext,
  { file, users, rule, since, reason, channel: given }: Requested & { rule: string | undefined },
): Promise<Preview<ManyRequest>> {
  const channelId = await chooseChannel(context, given);
  await authorizeAction(context, context.actor, channelId, "ban");
  const named = file ?? users;
  const targets = named
    ? await readUsers(context, named)
    : await findBanned(context, channelId, { ruleId: rule, since });
  const { found } = targets;
  const lines = [
    ...targets.lines,
    ...(reason === undefined ? [] : [`Reason: ${escapeText(reason)}`]),
    "",
    ...(await describeUsers(context, found)),
    "",
    "Their replies show again, and new ones are folded away at the end of the thread: they stay **restricted**.",
    "**What this does not bring back:** the roles they had, and casts that were hidden one by one.",
  ];
  if (found.length === 0) return { view: nobody(lines, "unban", targets) };
  const title = `Lift ${amount(found.length, "ban")} in /${channelId}?`;
  const view = { ...textView("warning", lines, { title }), files: targets.files };
  const selection = file
    ? "users from a file"
    : users
      ? "chosen users"
      : rule === undefined
        ? "banned users"
        : `users whom rule ${rule} banned`;
  return {
    view,
    state: { kind: "unban", channelId, fids: found.map(({ fid }) => fid), selection, reason },
    confirmLabel: found.length === 1 ? "Lift the ban" : "Lift all of them",
  };
}

export async function changeMany(context: CommandContext, { kind, ...request }: ManyRequest): Promise<View> {
  const { channelId, fids, selection, reason } = request;
  const { by } = await authorizeAction(context, context.actor, channelId, "ban");
  if (kind === "ban") return carryOutBans(context, request, by);
  const actions = fids.map((targetFid) => ({ kind, targetFid }));
  return carryOutBulk(context, { channelId, kind, selection, by, reason, leavesOutRequested: true }, actions);
}

function nobody(lines: readonly string[], what: string, { files }: Targets<User>) {
  const description = lines.filter((line) => /^(?:✖|The file|You typed|Line [0-9])/.test(line)).join("\n");
  return { ...textView("plain", description, { title: `Nobody to ${what}` }), files };
}

/** Users as a file or what was typed names them. */
export function readUsers(context: CommandContext, source: AttachedFile | string): Promise<Targets<User>> {
  return readTargets(source, userColumns, (lines) => readUserLines(context, lines), nameWithFid);
}

/** How many matching casts each author wrote. */
interface Authors extends Targets<User> {
  casts: ReadonlyMap<number, number>;
}

async function findAuthors(
  { database }: CommandContext,
  channelId: string,
  search: CastFilter,
): Promise<Authors> {
  if ([search.text, search.link, search.since].every((one) => one === undefined)) {
    throw new AppError(
      "invalid_input",
      "Choose a user, or many by name, by a file, or by a text or link in their casts.",
    );
  }
  const authors = await searchAuthors(database.query, channelId, search, maxTargets);
  const fids = authors.map(({ fid }) => fid);
  return {
    found: await withNames(database.query, fids),
    lines:
      authors.length < maxTargets
        ? []
        : [`The ${maxTargets} with the most matching casts; one bulk takes no more.`],
    files: [],
    casts: new Map(authors.map(({ fid, casts }) => [fid, casts])),
  };
}

/** How many of the matching casts these authors wrote. */
function describeCasts(casts: ReadonlyMap<number, number>, users: readonly User[]): string {
  const all = [...casts.values()].reduce((sum, count) => sum + count, 0);
  const theirs = users.reduce((sum, { fid }) => sum + (casts.get(fid) ?? 0), 0);
  if (theirs === all) return `They wrote all ${amount(all, "matching cast")} that Castellan has seen.`;
  return `They wrote ${theirs} of the ${amount(all, "matching cast")} that Castellan has seen. People who are left out wrote the others.`;
}

async function findBanned(
  { database, actor }: CommandContext,
  channelId: string,
  search: { ruleId: string | undefined; since: number | undefined },
): Promise<Targets<User>> {
  if (search.ruleId === undefined && search.since === undefined) {
    throw new AppError("invalid_input", "Choose the bans by user, file, rule or time.");
  }
  const fids = await searchBanned(
    database.query,
    { guildId: actor.guildId, channelId, ...search },
    maxTargets,
  );
  return { found: await withNames(database.query, fids), lines: [], files: [] };
}
