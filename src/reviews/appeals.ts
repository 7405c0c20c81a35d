import { sql } from "kysely";
import type { BotContext } from "../bot-context.ts";
import type { Queryable, Tx } from "../database/database.ts";
import { TranslatedError } from "../languages/translated-error.ts";
import { selectBody } from "../observe/cast-body.ts";
import { hourMs, minutesToWait } from "../limits/rate-limit.ts";
import { showNumber } from "../text/numbered.ts";
import type { CastBody } from "../text/show-cast.ts";
import { toStorable } from "../text/storable.ts";
import type { HeldAction } from "../rules/actions/action.ts";
import { announceItem, insertItem, type BroughtItem } from "./brought-item.ts";
import { lockLink } from "./lock-link.ts";
import type { ReviewItem } from "./review-items.ts";
import { inForce, literals } from "../database/tables/case-states.ts";

/** Maximum appeals in a server. Each person can have one at a time. */
const serverLimit = { max: 30, windowMs: hourMs };

/** A case in force that the affected person can appeal. */
export interface Appealable {
  caseId: number;
  number: number;
  kind: "ban" | "hide";
  channelId: string;
  targetFid: number | null;
  targetCast: string | null;
  subjectFid: number;
  publicReason: string | null;
  requestedAtMs: number;
  /** The hidden cast; null if its text is no longer stored. */
  cast: CastBody | null;
}

/**
 * Bans and hidden casts of these people that are in force as far as a server knows, newest first, one per target.
 * Excludes those that were appealed and are in force through the same cases.
 */
export async function listAppealable(
  db: Queryable,
  guildId: string,
  fids: readonly number[],
): Promise<Appealable[]> {
  if (fids.length === 0) return [];
  const { rows } = await sql<Appealable>`
    select distinct on (subject.target_key) subject.id as "caseId", subject.number, subject.kind, subject.channel_id as "channelId",
      subject.target_fid as "targetFid", subject.target_cast as "targetCast", subject.subject_fid as "subjectFid",
      subject.public_reason as "publicReason", subject.requested_at_ms as "requestedAtMs",
      case when told.hash is not null and told.erased_at_ms is null then ${selectBody("told")} end as "cast"
    from castellan.cases as subject
    join castellan.links as link on link.guild_id = subject.guild_id and link.channel_id = subject.channel_id
      and link.suspended_at_ms is null
    left join castellan.casts as told on told.hash = subject.target_cast
    where subject.guild_id = ${guildId} and subject.subject_fid = any(${[...fids]}::bigint[])
      and subject.kind in ('ban', 'hide') and subject.state in (${literals(inForce)})
      and told.removed_at is null
      and not exists (select from castellan.appeals join castellan.cases as same on same.id = appeals.case_id
        where same.target_key = subject.target_key and same.kind = subject.kind and same.guild_id = subject.guild_id
          and same.state in (${literals(inForce)}))
    order by subject.target_key, subject.id desc
  `.execute(db);
  return rows.toSorted((one, other) => other.caseId - one.caseId).slice(0, maxListed);
}
const maxListed = 25;

export interface Appeal {
  guildId: string;
  userId: string;
  fids: readonly number[];
  caseId: number;
  text: string;
  /** The language of the answer, as Discord names it. */
  locale: string;
}

/**
 * Asks the channel's moderators to review a case: granting the appeal lifts the ban or shows the cast. Throws
 * `already_answered` if the case is no longer in force or was appealed, `not_allowed` if the same person has another
 * open appeal, `not_proven` if the link is suspended, and `rate_limited`.
 */
export async function makeAppeal(
  context: Pick<BotContext, "database" | "clock" | "appendEvents">,
  appeal: Appeal,
): Promise<{ itemId: number; about: Appealable }> {
  return context.database.transaction(async (tx) => {
    const { guildId, userId, fids, caseId, locale } = appeal;
    const found = (await listAppealable(tx, guildId, fids)).find((one) => one.caseId === caseId);
    // Read again with the server's links locked, so that of two simultaneous appeals the second sees the first.
    if (found) await lockLink(tx, guildId, found.channelId);
    const about = (await listAppealable(tx, guildId, fids)).find((one) => one.caseId === caseId);
    if (!about) {
      throw new TranslatedError("already_answered", ({ appeals }) => appeals.notInEffect);
    }
    const now = context.clock.now();
    await requireNoneOpen(tx, guildId, userId);
    await requireWithinLimit(tx, guildId, now);
    const item = toItem(appeal, about);
    const itemId = await insertItem(tx, item, now);
    await tx
      .insertInto("castellan.appeals")
      .values({
        item_id: itemId,
        case_id: caseId,
        guild_id: guildId,
        user_id: userId,
        locale,
        made_at_ms: now,
      })
      .execute();
    await announceItem(context, tx, itemId, item);
    return { itemId, about };
  });
}

async function requireNoneOpen(tx: Tx, guildId: string, userId: string): Promise<void> {
  const open = await tx
    .selectFrom("castellan.appeals as appeal")
    .innerJoin("castellan.review_items as item", "item.id", "appeal.item_id")
    .innerJoin("castellan.cases as subject", "subject.id", "appeal.case_id")
    // Elsewhere nobody can decide it.
    .innerJoin("castellan.links as link", (join) =>
      join.onRef("link.guild_id", "=", "item.guild_id").onRef("link.channel_id", "=", "item.channel_id"),
    )
    .select(["subject.number", "item.channel_id as channelId"])
    .where("link.suspended_at_ms", "is", null)
    .where("appeal.guild_id", "=", guildId)
    .where("appeal.user_id", "=", userId)
    .where("item.state", "=", "open")
    .executeTakeFirst();
  if (!open) return;
  const number = showNumber("case", open.number);
  throw new TranslatedError("not_allowed", ({ appeals }) => appeals.oneAtATime(number, open.channelId));
}

async function requireWithinLimit(tx: Tx, guildId: string, now: number): Promise<void> {
  const made = await tx
    .selectFrom("castellan.appeals")
    .select("made_at_ms")
    .where("guild_id", "=", guildId)
    .where("made_at_ms", ">", now - serverLimit.windowMs)
    .execute();
  const times = made.map(({ made_at_ms }) => made_at_ms);
  if (minutesToWait(times, serverLimit, now) === 0) return;
  throw new TranslatedError("rate_limited", ({ appeals }) => appeals.tooMany(serverLimit.max));
}

function toItem(
  { guildId, text }: Appeal,
  { channelId, kind, targetCast: castHash, subjectFid: fid }: Appealable,
): BroughtItem {
  const granting: Omit<HeldAction, "actionIndex"> =
    kind === "ban"
      ? { sentence: "lift the ban", action: { kind: "unban", fid } }
      : { sentence: "show the cast again", action: { kind: "unhide", castHash: castHash ?? "" } };
  const evidence = { evidence: toStorable(text) };
  const actions = [{ actionIndex: 0, ...granting }];
  return { guildId, channelId, source: "appeal", fid, castHash, evidence, actions };
}

/** The status of an appeal, for the person who made it. */
export interface MadeAppeal {
  itemId: number;
  number: number;
  kind: "ban" | "hide";
  channelId: string;
  state: ReviewItem["state"];
  decidedAtMs: number | null;
  madeAtMs: number;
  /** Whether its case is no longer in force. */
  isOver: boolean;
}

/** The latest appeals of a Discord user in a server, newest first. */
export async function listMade(db: Queryable, guildId: string, userId: string): Promise<MadeAppeal[]> {
  const { rows } = await sql<MadeAppeal>`
    select item.id as "itemId", subject.number, subject.kind, item.channel_id as "channelId", item.state,
      item.decided_at_ms as "decidedAtMs", appeal.made_at_ms as "madeAtMs", subject.state = 'reverted' as "isOver"
    from castellan.appeals as appeal
    join castellan.review_items as item on item.id = appeal.item_id
    join castellan.cases as subject on subject.id = appeal.case_id
    where appeal.guild_id = ${guildId} and appeal.user_id = ${userId}
    order by item.id desc limit 10
  `.execute(db);
  return rows;
}

/** Records that a person has seen the answers to these appeals, so they need not be sent. */
export async function noteSeen(db: Queryable, itemIds: readonly number[]): Promise<void> {
  if (itemIds.length === 0) return;
  await sql`
    update castellan.appeals as appeal set seen_round = item.round from castellan.review_items as item
    where item.id = appeal.item_id and item.state <> 'open' and item.id = any(${[...itemIds]}::bigint[])
  `.execute(db);
}
