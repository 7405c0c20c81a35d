import type { Doer } from "../../src/bot-context.ts";
import type { Channel } from "../../src/contract/channels.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import type { View } from "../../src/discord/view.ts";
import { AppError } from "../../src/errors.ts";
import { findAlreadyBanned, whyNotBanned } from "../../src/moderation/bulks/find-users.ts";
import { lastsAfterBan } from "../../src/moderation/cases/outcome.ts";
import { findStandingBans } from "../../src/moderation/cases/standing-bans.ts";
import { findListed } from "../../src/moderation/list-people.ts";
import { describeUser, readNames, type User } from "../../src/observe/people.ts";
import { amount } from "../../src/text/amount.ts";
import { describeTime, escapeText, listSome, nameSome } from "../../src/text/message-text.ts";
import { carryOutBulk } from "../shared/bulk.ts";
import { nameCase } from "../shared/describe-case.ts";
import { describeBanEffects, describeWish, type BanLength } from "../shared/preview-ban.ts";

const maxSamples = 10;

interface BanTerms {
  channel: Channel;
  forSeconds: BanLength;
  reason: string | undefined;
}

interface BanPlan {
  /** The users that the bulk bans. */
  found: User[];
  /** What to know before it does. */
  lines: string[];
  /** Who is left out, and why; in `lines`, too. */
  leftOut: string[];
}

/** Which of these users a bulk can ban, and what to know before it does, in lines. */
export async function planBans(
  context: CommandContext,
  users: readonly User[],
  { channel, forSeconds, reason }: BanTerms,
): Promise<BanPlan> {
  const banned = await findBannedAmong(context, channel.id, users);
  const refused = users.flatMap((user) => {
    const why = whyNotBanned(channel, context.botFid, user.fid);
    return why === undefined ? [] : [{ user, why }];
  });
  const left = new Set([...refused.map(({ user }) => user.fid), ...banned.keys()]);
  const found = users.filter(({ fid }) => !left.has(fid));
  const members = await findListed(
    context.database.query,
    channel.id,
    ["members"],
    found.map(({ fid }) => fid),
  );
  const leftOut = [
    ...(left.size === 0 ? [] : ["**Left out:**"]),
    ...refused.map(({ user, why }) => `✖ ${describeUser(user)}: ${why}`),
    ...describeBanned(banned),
  ];
  const lines = [
    ...(await describeUsers(context, found, members)),
    describeBanEffects(channel, undefined),
    describeMembers(members.size),
    ...(reason === undefined ? [] : [`Reason: ${escapeText(reason)}`]),
    describeWish(context, forSeconds),
    ...leftOut,
  ];
  return { found, lines, leftOut };
}

interface BansRequest {
  channelId: string;
  fids: readonly number[];
  selection: string;
  reason?: string | undefined;
  forSeconds?: number | undefined;
}

/** Bans those of them who are not banned by now. Throws `invalid_input` if nobody is left. */
export async function carryOutBans(
  context: CommandContext,
  { channelId, fids, selection, reason, forSeconds }: BansRequest,
  by: Doer,
): Promise<View> {
  const users = fids.map((fid) => ({ fid, name: undefined }));
  const banned = await findBannedAmong(context, channelId, users);
  const left = fids.filter((fid) => !banned.has(fid));
  if (left.length === 0) {
    throw new AppError("invalid_input", `All ${fids.length} of them are banned by now.`);
  }
  const actions = left.map((targetFid) => ({ kind: "ban" as const, targetFid, forSeconds }));
  const bulk = { channelId, kind: "ban", selection, by, reason, leavesOutRequested: true } as const;
  return carryOutBulk(context, bulk, actions);
}

/** The users who are already banned, each with the ban in force; by fid. */
async function findBannedAmong(
  { database, actor }: CommandContext,
  channelId: string,
  users: readonly User[],
): Promise<Map<number, string>> {
  const { query } = database;
  const fids = users.map(({ fid }) => fid);
  const [listed, standing, names] = await Promise.all([
    findAlreadyBanned(query, channelId, fids),
    findStandingBans(query, channelId, fids),
    readNames(query, fids),
  ]);
  return new Map(
    users.flatMap(({ fid, name }) => {
      const ban = standing.get(fid);
      if (!ban && !listed.has(fid)) return [];
      const until = ban?.untilMs == null ? "permanently" : `until ${describeTime(ban.untilMs / 1000, "f")}`;
      const by = ban ? ` (${nameCase(ban.by, actor)})` : "";
      return [[fid, `${describeUser({ fid, name: names.get(fid) ?? name })}: ${until}${by}`]];
    }),
  );
}

function describeBanned(banned: ReadonlyMap<number, string>): string[] {
  if (banned.size === 0) return [];
  const are = banned.size === 1 ? "is banned already, and stays" : "are banned already, and stay";
  return [
    `✖ ${amount(banned.size, "user")} ${are} so as now:`,
    ...listSome([...banned.values()], maxSamples).map((line) => `✖ ${line}`),
  ];
}

/** Members do not get back what they lose when the ban ends. */
function describeMembers(count: number): string {
  if (count === 0) return lastsAfterBan;
  const who = count === 1 ? "1 of them is a member" : `${count} of them are members`;
  return `**${who}.** ${lastsAfterBan}`;
}

/** The first of them by name, members before others. */
export async function describeUsers(
  { database }: CommandContext,
  users: readonly User[],
  members: Pick<ReadonlySet<number>, "has"> = new Set(),
): Promise<string[]> {
  const sorted = users.toSorted(
    (one, other) => Number(members.has(other.fid)) - Number(members.has(one.fid)),
  );
  const names = await readNames(
    database.query,
    sorted.slice(0, maxSamples).map(({ fid }) => fid),
  );
  const describe = ({ fid, name }: User) => {
    const user = describeUser({ fid, name: names.get(fid) ?? name });
    return members.has(fid) ? `${user} **member**` : user;
  };
  return [nameSome(sorted, maxSamples, describe)];
}
