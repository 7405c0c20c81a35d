import { sql } from "kysely";
import type { Role } from "../../contract/values.ts";
import type { Queryable, Tx } from "../../database/database.ts";
import {
  inviteIn,
  roleIn,
  type Answer,
  type ChannelRole,
  type Standing,
  type State,
} from "../domain/membership.ts";

/** A user's standing in a channel. Lock the channel first if a decision depends on it. */
export async function readRole(
  db: Queryable,
  channelId: string,
  fid: number,
): Promise<ChannelRole | undefined> {
  const row = await db
    .selectFrom("network.memberships")
    .select("role")
    .where("channel_id", "=", channelId)
    .where("fid", "=", fid)
    .executeTakeFirst();
  return row?.role;
}

interface StandingRow {
  caller_role: ChannelRole | null;
  role: ChannelRole | null;
  was_member: boolean | null;
  invite: Role | null;
  restricted: boolean;
  banned: boolean;
  answers: Partial<Record<Role, Answer>> | null;
}

/** A user's standing and the caller's role, in one statement. */
export async function readStanding(
  tx: Tx,
  channelId: string,
  fid: number,
  caller: number,
): Promise<{ standing: Standing; callerRole: ChannelRole | undefined }> {
  const user = sql`channel_id = ${channelId} and fid = ${fid}`;
  const { rows } = await sql<StandingRow>`
    select
      (select role from network.memberships where channel_id = ${channelId} and fid = ${caller}) as caller_role,
      (select role from network.memberships where ${user}) as role,
      (select was_member from network.memberships where ${user}) as was_member,
      (select role from network.invites where ${user}) as invite,
      exists (select from network.restrictions where ${user}) as restricted,
      exists (select from network.bans where ${user}) as banned,
      (select json_object_agg(role, case when accepted then 'accepted' else 'declined' end)
         from network.invite_answers where ${user}) as answers
  `.execute(tx);
  const [row] = rows;
  if (!row) throw new Error("a select without from returned no row");
  return {
    callerRole: row.caller_role ?? undefined,
    standing: {
      state: toState(row),
      answers: { member: row.answers?.member, moderator: row.answers?.moderator },
    },
  };
}

function toState(row: StandingRow): State {
  if (row.banned) return "banned";
  if (row.role === "moderator") return row.was_member ? "moderator" : "appointed";
  if (row.role === "member") return row.invite === "moderator" ? "nominated" : "member";
  if (row.role === "owner") return "owner";
  if (row.restricted) return "restricted";
  return row.invite ? "invited" : "stranger";
}

/** One user's step in a channel that the transaction has locked. */
export interface StandingChange {
  channelId: string;
  fid: number;
  before: Standing;
  after: Standing;
  /** Who caused it; the inviter if the step is an invite. */
  caller: number;
  /** UNIX seconds, taken under the channel's lock. */
  now: number;
}

interface ChannelUser {
  channel_id: string;
  fid: number;
}

/** Writes the differences and their consequences: the member count, and replies hidden by a ban. */
export async function saveStanding(tx: Tx, change: StandingChange): Promise<void> {
  const { before, after, caller, now } = change;
  const user = { channel_id: change.channelId, fid: change.fid };
  if (before.state !== after.state) {
    await saveMembership(tx, user, before.state, after.state, now);
    await saveInvite(tx, user, before.state, after.state, { inviter_fid: caller, invited_at: now });
    await saveRestriction(tx, user, before.state, after.state, now);
    await saveBan(tx, user, before.state, after.state, now);
  }
  for (const role of ["member", "moderator"] as const) {
    if (before.answers[role] !== after.answers[role]) {
      await saveAnswer(tx, { ...user, role }, after.answers[role], now);
    }
  }
}

async function saveMembership(
  tx: Tx,
  user: ChannelUser,
  before: State,
  after: State,
  now: number,
): Promise<void> {
  const role = roleIn(after);
  const previous = roleIn(before);
  if (role === previous) return;
  const held = { role: role ?? "member", was_member: after === "moderator" };
  if (role && previous) {
    await tx
      .updateTable("network.memberships")
      .set(held)
      .where((eb) => eb.and(user))
      .execute();
    return;
  }
  if (role) {
    await tx
      .insertInto("network.memberships")
      .values({ ...user, ...held, member_at: now })
      .execute();
  } else {
    await tx
      .deleteFrom("network.memberships")
      .where((eb) => eb.and(user))
      .execute();
  }
  await tx
    .updateTable("network.channels")
    .set((eb) => ({ member_count: eb("member_count", role ? "+" : "-", 1) }))
    .where("id", "=", user.channel_id)
    .execute();
}

async function saveInvite(
  tx: Tx,
  user: ChannelUser,
  before: State,
  after: State,
  origin: { inviter_fid: number; invited_at: number },
): Promise<void> {
  const role = inviteIn(after);
  if (role === inviteIn(before)) return;
  // A step never replaces one invite by another: it creates one or ends one.
  if (role) {
    await tx
      .insertInto("network.invites")
      .values({ ...user, role, ...origin })
      .execute();
  } else {
    await tx
      .deleteFrom("network.invites")
      .where((eb) => eb.and(user))
      .execute();
  }
}

async function saveRestriction(
  tx: Tx,
  user: ChannelUser,
  before: State,
  after: State,
  now: number,
): Promise<void> {
  if (after === "restricted") {
    await tx
      .insertInto("network.restrictions")
      .values({ ...user, restricted_at: now })
      .execute();
  } else if (before === "restricted") {
    await tx
      .deleteFrom("network.restrictions")
      .where((eb) => eb.and(user))
      .execute();
  }
}

async function saveBan(tx: Tx, user: ChannelUser, before: State, after: State, now: number): Promise<void> {
  if (before !== "banned" && after !== "banned") return;
  const banned = after === "banned";
  if (banned) {
    await tx
      .insertInto("network.bans")
      .values({ ...user, banned_at: now })
      .execute();
  } else {
    await tx
      .deleteFrom("network.bans")
      .where((eb) => eb.and(user))
      .execute();
  }
  // Replies only; casts hidden by moderators have a separate flag and stay hidden.
  await tx
    .updateTable("network.casts")
    .set({ hidden_by_ban: banned })
    .where((eb) => eb.and(user))
    .where("parent_hash", "is not", null)
    .execute();
}

async function saveAnswer(
  tx: Tx,
  invite: ChannelUser & { role: Role },
  answer: Answer | undefined,
  now: number,
): Promise<void> {
  if (!answer) {
    await tx
      .deleteFrom("network.invite_answers")
      .where((eb) => eb.and(invite))
      .execute();
    return;
  }
  // There is no earlier answer to replace, because the invite in between deleted it.
  await tx
    .insertInto("network.invite_answers")
    .values({ ...invite, accepted: answer === "accepted", answered_at: now })
    .execute();
}
