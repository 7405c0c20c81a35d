import { z } from "zod";
import { inviteCallLimit } from "../../src/contract/membership.ts";
import { confirm, flag, text } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { textView, type View } from "../../src/discord/view.ts";
import { AppError } from "../../src/errors.ts";
import { authorize, authorizeAction } from "../../src/moderation/authorize.ts";
import { listCasesOfBulk, maxTargets, requireBulk, type Bulk } from "../../src/moderation/bulks/bulk.ts";
import { countInviteCalls } from "../../src/moderation/cases/case.ts";
import { findListed } from "../../src/moderation/list-people.ts";
import { withNames, type User } from "../../src/observe/people.ts";
import { amount } from "../../src/text/amount.ts";
import { showNumber } from "../../src/text/numbered.ts";
import { describeUsers } from "../ban/plan-bans.ts";
import { readUsers } from "../ban/many.ts";
import { carryOutBulk } from "../shared/bulk.ts";
import {
  channelOption,
  chooseChannel,
  optionalNumber,
  optionalUser,
  reasonOption,
} from "../shared/options.ts";
import { runCase } from "../shared/show-case.ts";
import { suggestBy, suggestUsersFor } from "../shared/suggestions.ts";
import { suggestBulks } from "../shared/suggest-numbers.ts";
import { refuseUseless, targetsFile, type Targets } from "../shared/targets.ts";
import { previewRevoke, revoke, RevokeRequest } from "./revoke.ts";

const ManyRequest = z.object({ channelId: z.string(), fids: z.array(z.int()), selection: z.string() });

export const invite = confirm({
  description:
    "Invite one user or many to become members, who must follow and accept; or revoke an invite or role",
  needs: "invite",
  console: true,
  options: {
    user: {
      ...optionalUser("Who: fid, @name or profile link"),
      suggest: suggestBy("revoke", suggestUsersFor("revoke"), suggestUsersFor("invite")),
    },
    users: text({ description: "Or several, with spaces between them", maxLength: 2000 }),
    file: targetsFile("fids, names or links"),
    bulk: optionalNumber("bulk", "Or everyone whom this bulk affected, such as B-3", suggestBulks),
    revoke: flag("Instead, revoke the user's pending invite or remove their role"),
    reason: reasonOption("With revoke: why; shown in the case"),
    channel: channelOption,
  },
  confirmLabel: "Invite all of them",
  state: z.union([ManyRequest, RevokeRequest]),
  async preview(context, { user, users, file, bulk: number, revoke: revokes, reason, channel: given }) {
    const { query } = context.database;
    if (revokes) {
      refuseUseless({ users, file, bulk: number }, "does not go with `revoke`, which takes one `user`");
      if (!user) throw new AppError("invalid_input", "Choose the `user` whose invite or role to revoke.");
      return previewRevoke(context, user, { channelId: await chooseChannel(context, given), reason });
    }
    refuseUseless({ reason }, "is for `revoke`");
    const bulk = number === undefined ? undefined : await requireBulk(query, context.actor.guildId, number);
    if ([user, users, file, bulk].filter((one) => one !== undefined).length > 1)
      throw new AppError("invalid_input", "Choose one of these: a user, several users, a file or a bulk.");
    const isOneChannel = bulk?.otherChannelIds.length === 0;
    const channelId = isOneChannel ? bulk.channelId : await chooseChannel(context, given);
    if (user) return { view: await inviteOne(context, channelId, user) };
    await authorizeAction(context, context.actor, channelId, "invite");
    if (bulk) await authorize(context, context.actor, channelId, "view");
    const named = file ?? users;
    if (named === undefined && !bulk)
      throw new AppError(
        "invalid_input",
        "Choose whom to invite: a user, several users, a file, or everyone affected by a bulk.",
      );
    const targets = bulk
      ? await findAffected(context, bulk, channelId)
      : await readUsers(context, named ?? "");
    const listed = await findListed(
      query,
      channelId,
      ["members", "invites", "bans"],
      targets.found.map(({ fid }) => fid),
    );
    const found = targets.found.filter(({ fid }) => !listed.has(fid));
    const count = (listing: string) => [...listed.values()].filter((one) => one === listing).length;
    const left = [
      [count("members"), "already members"],
      [count("invites"), "invited already"],
      [count("bans"), "banned: lift the ban first"],
    ] as const;
    const lines = [
      ...targets.lines,
      ...(await describeUsers(context, found)),
      ...left.flatMap(([many, why]) => (many === 0 ? [] : [`✖ ${amount(many, "user")} left out, ${why}.`])),
      "",
      "Each has to follow the channel, and to accept.",
      await describeBudget(context, channelId, found.length),
    ];
    const isNone = found.length === 0;
    const title = isNone ? "Nobody to invite" : `Invite ${amount(found.length, "user")} to /${channelId}?`;
    const view = { ...textView(isNone ? "plain" : "warning", lines, { title }), files: targets.files };
    if (isNone) return { view };
    const selection = bulk
      ? `whom ${showNumber("bulk", bulk.number)} affected`
      : file
        ? "users from a file"
        : "chosen users";
    return { view, state: { channelId, fids: found.map(({ fid }) => fid), selection } };
  },
  async act(context, request) {
    if ("kind" in request) return revoke(context, request);
    const { channelId, fids, selection } = request;
    const { by } = await authorizeAction(context, context.actor, channelId, "invite");
    const actions = fids.map((targetFid) => ({
      kind: "invite" as const,
      role: "member" as const,
      targetFid,
    }));
    return carryOutBulk(context, { channelId, kind: "invite", selection, by }, actions);
  },
});

async function inviteOne(context: CommandContext, channelId: string, { fid }: User): Promise<View> {
  const { by } = await authorizeAction(context, context.actor, channelId, "invite");
  const view = await runCase(context, {
    channelId,
    kind: "invite",
    role: "member",
    targetFid: fid,
    actor: by,
  });
  return { ...view, content: describeInvites(channelId, await countUsed(context, channelId)) };
}

/** How many of the network's invites an hour are used. */
export function describeInvites(channelId: string, used: number): string {
  return `Invites to /${channelId} in the last hour: ${used} of ${inviteCallLimit}, shared by all its moderators here.`;
}

async function countUsed(context: CommandContext, channelId: string): Promise<number> {
  return (await countInviteCalls(context, [channelId])).get(channelId) ?? 0;
}

/** The people affected by a bulk in a channel: the banned ones if it lifted bans, otherwise also the authors of casts. */
async function findAffected(
  { database }: CommandContext,
  bulk: Bulk,
  channelId: string,
): Promise<Targets<User>> {
  const cases = await listCasesOfBulk(database.query, bulk.id, { limit: maxTargets });
  const changed = cases.filter((one) => one.channelId === channelId && one.state !== "failed");
  const lifted = changed.filter(({ kind }) => kind === "unban");
  const affected = lifted.length > 0 ? lifted : changed;
  const fids = [...new Set(affected.flatMap(({ subjectFid }) => subjectFid ?? []))];
  return { found: await withNames(database.query, fids), lines: [], files: [] };
}

/** How soon so many invites are out. */
async function describeBudget(context: CommandContext, channelId: string, count: number): Promise<string> {
  const free = Math.max(0, inviteCallLimit - (await countUsed(context, channelId)));
  const budget = `${free} of the ${inviteCallLimit} invites an hour are left, shared by all moderators here`;
  if (count <= free) return `${budget}.`;
  const hours = Math.ceil((count - free) / inviteCallLimit);
  return `${budget}: the rest go out within about ${amount(hours, "hour")}, and the bulk's post says when all are.`;
}
