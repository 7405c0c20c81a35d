import { inviteCallLimit } from "../../src/contract/membership.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { oneOf, text, type ArgumentsOf, type ListPage } from "../../src/discord/command.ts";
import { textView } from "../../src/discord/view.ts";
import { AppError } from "../../src/errors.ts";
import { countInviteCalls, type Scope } from "../../src/moderation/cases/case.ts";
import { findStandingBans, type StandingBan } from "../../src/moderation/cases/standing-bans.ts";
import { findChannelLately } from "../../src/moderation/find-target.ts";
import { serverRequester } from "../../src/moderation/known-rights.ts";
import { listPeople, readListingTime } from "../../src/moderation/list-people.ts";
import { readChannels } from "../../src/moderation/staff.ts";
import { describeUser, readNames } from "../../src/observe/people.ts";
import { count } from "../../src/text/amount.ts";
import { describeTime, escapeText } from "../../src/text/message-text.ts";
import { nameCase } from "../shared/describe-case.ts";
import { openCaseButtons } from "../shared/leading-buttons.ts";
import { channelOption, chooseChannelFor } from "../shared/options.ts";

const pageSize = 15;

/** People of a channel, newest first. */
export const listOptions = {
  list: oneOf(["members", "invites", "restrictions", "bans"], {
    description: "Or which people to list; members, if left out",
  }),
  name: text({ description: "In the list, only people whose name or fid begins with this", maxLength: 40 }),
  channel: channelOption,
};

export async function listPeopleOf(
  context: CommandContext,
  { list = "members", name = "", channel: given }: ArgumentsOf<typeof listOptions>,
  cursor: string | undefined,
): Promise<ListPage> {
  const channelId = await chooseChannelFor(context, given, "view");
  const staff = await readStaff(context, channelId, list);
  const { actor, botFid } = context;
  const { query } = context.database;
  const offset = Number(cursor ?? 0);
  const asked = { channelId, listing: list, begins: name, offset, limit: pageSize + 1 };
  const { people, all } = await listPeople(query, asked);
  const page = people.slice(0, pageSize);
  const fids = page.map(({ fid }) => fid);
  const [names, bans, read] = await Promise.all([
    readNames(
      query,
      page.flatMap(({ fid, inviterFid }) => (inviterFid === null ? [fid] : [fid, inviterFid])),
    ),
    findStandingBans(query, channelId, list === "bans" ? fids : []),
    readListingTime(query, channelId, list),
  ]);
  const user = (fid: number) => (fid === botFid ? "Castellan" : describeUser({ fid, name: names.get(fid) }));
  const lines = page.map(({ fid, at, role, inviterFid }) =>
    [
      user(fid),
      ...describeRole(staff, fid),
      `since ${describeTime(at, "f")}`,
      ...(list === "bans" ? describeBan(bans.get(fid), actor) : []),
      ...(list === "invites" ? [`as ${role ?? "member"}`] : []),
      ...(inviterFid === null ? [] : [`by ${user(inviterFid)}`]),
    ].join(" · "),
  );
  const filter = name === "" ? "" : ` whose name or fid begins with that`;
  const head = `${count(all)}${filter}${read === undefined ? ": not read yet" : `, as read ${describeTime(read)}`}`;
  const footer = list === "invites" ? await describeBudget(context, channelId) : undefined;
  const own = [...bans.values()].flatMap(({ by }) => (by.guildId === actor.guildId ? [by] : []));
  return {
    view: {
      ...textView("plain", [head, ...lines], {
        title: `${titles[list]} /${channelId}`,
        ...(footer && { footer }),
      }),
      buttons: openCaseButtons(own),
    },
    ...(people.length > pageSize && { next: String(offset + pageSize) }),
  };
}

const titles = {
  members: "Members of",
  invites: "Invited to",
  restrictions: "Restricted in",
  bans: "Banned from",
} as const;

/** The channel with its owner and moderators, at most a minute old; undefined if the network does not answer. */
async function readStaff(context: CommandContext, channelId: string, list: string) {
  if (list !== "members") return undefined;
  const by = serverRequester(context.actor.guildId);
  const read = await readChannels(context, [channelId], (id) => findChannelLately(context, id, by));
  const channel = read.get(channelId);
  return channel instanceof AppError ? undefined : channel;
}

function describeRole(staff: Awaited<ReturnType<typeof readStaff>>, fid: number): string[] {
  if (staff?.leadFid === fid) return ["**owner**"];
  return staff?.moderatorFids.includes(fid) ? ["**moderator**"] : [];
}

/** Until when, by which case and why. */
function describeBan(ban: StandingBan | undefined, actor: Pick<Scope, "guildId">): string[] {
  const until = ban?.untilMs == null ? "permanently" : `ends ${describeTime(ban.untilMs / 1000)}`;
  if (!ban) return [until];
  const isOwn = ban.by.guildId === actor.guildId;
  return [
    until,
    nameCase(ban.by, actor),
    ...(isOwn && ban.reason !== null ? [escapeText(ban.reason, 80)] : []),
  ];
}

async function describeBudget(
  context: Parameters<typeof countInviteCalls>[0],
  channelId: string,
): Promise<string> {
  const used = (await countInviteCalls(context, [channelId])).get(channelId) ?? 0;
  return `${used} of ${inviteCallLimit} calls used in the last hour`;
}
