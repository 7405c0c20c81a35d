import { sql, type RawBuilder, type Selectable } from "kysely";
import { countsAgainst, type CountsAgainst } from "../../database/counts-against.ts";
import type { Queryable } from "../../database/database.ts";
import type { CastExtras } from "../../database/tables/bot.ts";
import { countChanges } from "../../database/tables/count-changes.ts";
import type { ReviewItemTable } from "../../database/tables/rules-acts.ts";
import { claimLasts } from "../../limits/claim-lasts.ts";
import { readEvidence, selectBody } from "../../observe/cast-body.ts";
import { readNames } from "../../observe/people.ts";
import { sourceOf } from "../../text/review-sources.ts";
import type { CastBody } from "../../text/show-cast.ts";
import { inForce, literals } from "../../database/tables/case-states.ts";

/** A review in all channels of the server, with everything that helps a moderator decide. */
export interface HeldReview {
  id: number;
  /** Identifies the review in its buttons. */
  tag: string;
  guildId: string;
  /** How often its items were decided and reopened so far. */
  changes: number;
  /** The channels it covers, with the outcome in each. */
  channels: ReviewedChannel[];
  queue: string;
  ruleId: string;
  ruleVersion: number;
  fid: number | null;
  /** Undefined if no name is known. */
  name: string | undefined;
  castHash: string | null;
  /** The cast or name as it was; for an appeal, the author's text. */
  evidence: CastBody | null;
  /** Names of the users mentioned in it, by fid. */
  names: ReadonlyMap<number, string>;
  why: string | null;
  /** The rule's planned actions, in words. */
  sentences: string[];
  queuedAtMs: number;
  /** The moderator who has claimed it. */
  claimedBy: string | null;
  /** The moderator who escalated it to the owner. */
  escalatedBy: string | null;
  /** The moderator who undid the last decision. */
  undoneBy: string | null;
  /** Members who reported it, in the order of their reports. */
  reports: MemberReport[];
  appeal: HeldAppeal | undefined;
  /** Earlier cases against the author in these channels, by kind, and strike points. */
  against: { kind: CountsAgainst; count: number }[];
  points: number;
}

/** A case that is appealed. */
export interface HeldAppeal {
  itemId: number;
  /** Discord user id. */
  userId: string;
  number: number;
  kind: "ban" | "hide";
  channelId: string;
  requestedAtMs: number;
  publicReason: string | null;
  /** Discord user id of the actor; null for a rule, or somebody outside Castellan. */
  actorUser: string | null;
  actorKind: string;
  actorRule: string | null;
  /** The hidden cast: as it is, or as it was if its text is no longer stored. */
  cast: CastBody | null;
  /** The appealed case is no longer in force. */
  isOver: boolean;
}

interface MemberReport {
  /** Discord user id. */
  userId: string;
  reason: string | null;
}

export interface ReviewedChannel {
  channelId: string;
  name: string;
  state: Selectable<ReviewItemTable>["state"];
  decidedBy: string | null;
  decidedToken: string | null;
  /** Numbers of the server's cases that hide the cast, and ban its author, in this channel now. */
  hiddenBy: number | null;
  bannedBy: number | null;
}

type ReviewRow = Omit<
  HeldReview,
  "changes" | "sentences" | "name" | "names" | "channels" | "reports" | "appeal" | "evidence"
> &
  ReviewedChannel & {
    head: number;
    round: number;
    actions: string;
    claimedAtMs: number | null;
    evidence: string | null;
    evidenceExtras: CastExtras | null;
  };

/** Reviews by the numbers of any of their items; `now` in UNIX milliseconds. */
export async function readReviews(
  db: Queryable,
  ids: readonly number[],
  now: number,
): Promise<Map<number, HeldReview>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<ReviewRow & { channelName: string }>`
    select item.id, coalesce(item.head_id, item.id) as head, item.tag, item.guild_id as "guildId",
      item.channel_id as "channelId",
      coalesce(channel_name, item.channel_id) as "channelName", queue, rule_id as "ruleId",
      rule_version as "ruleVersion", item.fid, cast_hash as "castHash", evidence, evidence_extras as "evidenceExtras", why, actions, state, round,
      queued_at_ms as "queuedAtMs", claimed_by as "claimedBy", claimed_at_ms as "claimedAtMs",
      escalated_by as "escalatedBy", undone_by as "undoneBy", decided_by as "decidedBy",
      decided_token as "decidedToken",
      ${caseInForce("hide", sql`cast_hash`)} as "hiddenBy", ${caseInForce("ban", sql`item.fid`)} as "bannedBy",
      (select coalesce(jsonb_agg(counted), '[]') from (
        select cases.kind, count(*)::int as count from (
          -- Apart, because PostgreSQL would search all cases of the channel by their kinds instead of the person's.
          select * from castellan.cases where cases.guild_id = item.guild_id and cases.channel_id = item.channel_id
            and cases.subject_fid = item.fid offset 0) as cases
        where ${countsAgainst("cases")}
          and cases.requested_at_ms < coalesce(decided_at_ms, ${now}::bigint + 1)
          -- What this review is itself about is nothing earlier.
          and (cases.cause_event_id, cases.rule_id) is distinct from (item.event_id, item.rule_id)
          and (cases.target_cast is null or cases.target_cast is distinct from item.cast_hash)
          and not exists (select from castellan.appeals where item_id = item.id and case_id = cases.id)
        group by cases.kind order by count(*) desc, cases.kind) as counted) as against,
      (select coalesce(sum(points), 0) from castellan.strikes where strikes.guild_id = item.guild_id
        and strikes.channel_id = item.channel_id and strikes.fid = item.fid and removed_at_ms is null
        and (expires_at_ms is null or expires_at_ms > ${now})) as points
    from castellan.review_items as item
    left join castellan.links as link on link.guild_id = item.guild_id and link.channel_id = item.channel_id
    cross join (select array(
      select coalesce(head_id, id) from castellan.review_items where id = any(${[...ids]}::bigint[])) as ids) as heads
    where item.id = any(heads.ids) and item.head_id is null or item.head_id = any(heads.ids)
    order by item.id
  `.execute(db);
  const reports = await readReports(db, rows);
  const appeals = await readAppeals(db, rows);
  const names = await readNames(db, [
    ...rows.flatMap(({ fid, evidenceExtras }) => [
      ...(fid === null ? [] : [fid]),
      ...(evidenceExtras?.mentions ?? []),
    ]),
    ...[...appeals.values()].flatMap(({ cast }) => cast?.mentions ?? []),
  ]);
  const reviews = new Map<number, HeldReview>();
  for (const first of rows.filter(({ id, head }) => id === head)) {
    const items = rows.filter(({ head }) => head === first.id);
    const name = first.fid === null ? undefined : names.get(first.fid);
    const brought = { names, reports: reports.get(first.id) ?? [], appeal: appeals.get(first.id) };
    const review = { ...joinItems(first, items, now, name), ...brought };
    for (const { id } of items) reviews.set(id, review);
  }
  return reviews;
}

/** The number of the last case of a kind in force on an item's target, in its channel. */
function caseInForce(kind: "hide" | "ban", target: RawBuilder<unknown>): RawBuilder<number | null> {
  return sql`(select number from castellan.cases as done where done.target_key = item.channel_id || ' ' || ${target}
    and done.guild_id = item.guild_id and done.kind = ${kind} and done.state in (${literals(inForce)})
    order by done.id desc limit 1)`;
}

async function readReports(db: Queryable, rows: readonly ReviewRow[]): Promise<Map<number, MemberReport[]>> {
  const ids = rows.flatMap(({ id, ruleId }) => (sourceOf(ruleId) === "report" ? [id] : []));
  if (ids.length === 0) return new Map();
  const reports = await db
    .selectFrom("castellan.reports")
    .select(["item_id as itemId", "user_id as userId", "reason"])
    .where("item_id", "in", ids)
    .orderBy("reported_at_ms")
    .orderBy("user_id")
    .execute();
  const byItem = new Map<number, MemberReport[]>(ids.map((id) => [id, []]));
  for (const { itemId, ...report } of reports) byItem.get(itemId)?.push(report);
  return byItem;
}

async function readAppeals(db: Queryable, rows: readonly ReviewRow[]): Promise<Map<number, HeldAppeal>> {
  const ids = rows.flatMap(({ id, ruleId }) => (sourceOf(ruleId) === "appeal" ? [id] : []));
  if (ids.length === 0) return new Map();
  const { rows: appeals } = await sql<
    HeldAppeal & { evidence: string | null; evidenceExtras: CastExtras | null }
  >`
    select appeal.item_id as "itemId", appeal.user_id as "userId", subject.number, subject.kind,
      subject.channel_id as "channelId", subject.requested_at_ms as "requestedAtMs",
      subject.public_reason as "publicReason", subject.actor_user as "actorUser", subject.actor_kind as "actorKind",
      subject.rule_id as "actorRule", subject.evidence, subject.evidence_extras as "evidenceExtras",
      case when told.erased_at_ms is null and told.hash is not null then ${selectBody("told")} end as "cast",
      subject.state = 'reverted' as "isOver"
    from castellan.appeals as appeal join castellan.cases as subject on subject.id = appeal.case_id
    left join castellan.casts as told on told.hash = subject.target_cast
    where appeal.item_id = any(${ids}::bigint[])
  `.execute(db);
  return new Map(
    appeals.map(({ evidence, evidenceExtras, ...appeal }) => [
      appeal.itemId,
      { ...appeal, cast: appeal.cast ?? readEvidence({ evidence, evidenceExtras }) },
    ]),
  );
}

function joinItems(
  first: ReviewRow,
  items: readonly (ReviewRow & { channelName: string })[],
  now: number,
  name: string | undefined,
): Omit<HeldReview, "reports" | "appeal" | "names"> {
  const { id, tag, guildId, queue, ruleId, ruleVersion, fid, castHash, why, queuedAtMs } = first;
  const held = items.flatMap(({ actions }) => JSON.parse(actions) as { sentence: string }[]); // written by holdForReview
  const claims = (first.claimedAtMs ?? 0) > now - claimLasts;
  return {
    id,
    tag,
    changes: countChanges(items),
    guildId,
    queue,
    ruleId,
    ruleVersion,
    fid,
    name,
    castHash,
    evidence: readEvidence(first),
    why,
    queuedAtMs,
    channels: items.map(
      ({ channelId, channelName: name, state, decidedBy, decidedToken, hiddenBy, bannedBy }) => {
        return { channelId, name, state, decidedBy, decidedToken, hiddenBy, bannedBy };
      },
    ),
    sentences: [...new Set(held.map(({ sentence }) => sentence))],
    claimedBy: claims ? first.claimedBy : null,
    escalatedBy: first.escalatedBy,
    undoneBy: items.find(({ undoneBy }) => undoneBy !== null)?.undoneBy ?? null,
    against: sumByKind(items.flatMap(({ against }) => against)),
    points: items.reduce((sum, item) => sum + item.points, 0),
  };
}

function sumByKind(counts: HeldReview["against"]): HeldReview["against"] {
  const sums = new Map<CountsAgainst, number>();
  for (const { kind, count } of counts) sums.set(kind, (sums.get(kind) ?? 0) + count);
  return [...sums].map(([kind, count]) => ({ kind, count }));
}
