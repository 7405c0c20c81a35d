import { sql } from "kysely";
import { mapLimited } from "../../async.ts";
import type { BotContext } from "../../bot-context.ts";
import type { Queryable, Tx } from "../../database/database.ts";
import { applyCase, waitsForLimit } from "./apply.ts";
import { banKinds, lockTarget, toCase, type Case } from "./case.ts";
import { proposeCase } from "./propose.ts";
import { readStandingBan } from "./standing-bans.ts";
import { showNumber } from "../../text/numbered.ts";
import { inForce, literals } from "../../database/tables/case-states.ts";

/** The pauses after failed unbans of the same ban, in milliseconds: each is twice as long as the one before. */
const pauses = { first: 15 * 60_000, max: 24 * 3600_000 };
/** How many expired bans are handled per run. */
const batch = 100;

/**
 * Lifts expired bans and returns how many. A user's ban ends when the last of the bans in force on them has expired: a
 * permanent one beats a timed one, a longer one a shorter one. Castellan does not lift bans that it did not set (the user
 * was already banned by somebody).
 */
export async function expireBans(context: BotContext): Promise<number> {
  const limited = new Set<string>();
  // Each user gets their turn, even if others fail.
  const unbans = await mapLimited(await findExpired(context), 1, async ({ target, channelId }) => {
    const unban = await proposeUnban(context, target);
    // `applyOpenCases` continues once the limit has room.
    if (!unban || limited.has(channelId)) return unban;
    const after = await applyCase(context, unban.id);
    if (waitsForLimit(after)) limited.add(channelId);
    return after;
  });
  return unbans.filter((unban) => unban !== undefined).length;
}

/** The same for one user, at once, for a person who waits: lifts a ban without duration. */
export async function expireBansOf(context: BotContext, target: string): Promise<Case | undefined> {
  const unban = await proposeUnban(context, target);
  return unban && applyCase(context, unban.id, { asPerson: true });
}

export async function hasBansToEnd(context: BotContext): Promise<boolean> {
  return (await findExpired(context)).length > 0;
}

/**
 * Users whose bans have expired, as far as Castellan knows, and that can be lifted now: no case for them is open, the last
 * failure is long enough ago, and the bot is not known to have lost its role. `only` is a key of `targetKey`.
 */
async function findExpired(
  { database, clock }: BotContext,
  { query, only }: { query: Queryable; only?: string } = database,
): Promise<{ target: string; channelId: string }[]> {
  const now = clock.now();
  const isWanted = only === undefined ? sql`true` : sql`target_key = ${only}`;
  // The offset makes PostgreSQL evaluate the view per target, instead of for all targets ever.
  const { rows } = await sql<{ target: string; channelId: string }>`
    select due.target_key as target, due.channel_id as "channelId" from (
      select distinct target_key, channel_id from castellan.cases
      where kind in (${literals(banKinds)}) and state in (${literals(inForce)}) and due_at_ms <= ${now}
        and ${isWanted}
    ) as due
    cross join lateral (
      select until_ms, case_id from castellan.standing_bans where target_key = due.target_key offset 0) as standing
    cross join lateral (
      select count(*)::int as times, max(settled_at_ms) as last_ms from castellan.cases
      where target_key = due.target_key and kind = 'unban' and state = 'failed' and ends_case_id is not null
        and id > standing.case_id) as failed
    where standing.until_ms <= ${now}
      and (failed.times = 0
        or failed.last_ms + least(${pauses.max}, ${pauses.first} * power(2, least(failed.times, 20) - 1)) <= ${now})
      and not exists (
        select from castellan.cases
        where target_key = due.target_key and kind in (${literals([...banKinds, "unban"])}) and state = 'requested')
      and not exists (
        select from castellan.links where channel_id = due.channel_id and bot_role_lost_at_ms is not null
          and guild_id not in (select guild_id from castellan.absent_servers))
    order by standing.until_ms, due.target_key limit ${batch}
  `.execute(query);
  return rows;
}

function proposeUnban(context: BotContext, target: string): Promise<Case | undefined> {
  const { database, clock } = context;
  return database.transaction(async (tx) => {
    // Locked before reading: a worker that waited for another must see the unban that the other proposed.
    await lockTarget(tx, target);
    // Checked again under the lock: a stronger ban may have come since the target was found.
    const [expired] = await findExpired(context, { query: tx, only: target });
    const standing = expired && (await readStandingBan(tx, target));
    if (!standing) return undefined;
    const last = await findBanOf(tx, standing.by);
    return proposeCase(tx, clock, {
      guildId: last.guildId,
      channelId: last.channelId,
      kind: "unban",
      targetFid: last.targetFid ?? undefined,
      actor: { endOf: last },
      publicReason: `Case ${showNumber("case", last.number)} has expired.`,
    });
  });
}

/** The ban whose expiry a case sets; the case itself if the ban is unknown. */
async function findBanOf(tx: Tx, by: Case): Promise<Case> {
  const ban = await tx
    .selectFrom("castellan.cases")
    .selectAll()
    .where("target_key", "=", by.target)
    .where("kind", "=", "ban")
    .where("state", "in", inForce)
    .where("guild_id", "=", by.guildId)
    .where("id", "<=", by.id)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return ban ? toCase(ban) : by;
}
