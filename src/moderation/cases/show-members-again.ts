import { sql } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import { showNumber } from "../../text/numbered.ts";
import { toCase } from "./case.ts";
import { proposeCase } from "./propose.ts";

type Context = Pick<BotContext, "database" | "clock" | "wake">;

/** Milliseconds for which casts are checked again, and the pause after a cast could not be shown. */
const [lookedFor, pauseAfterFailure] = [86_400_000, 15 * 60_000];
const batch = 100;

/**
 * Shows casts again that a lockdown hid because the network did not report the author's membership, once a later reading
 * of the member list shows that they were a member.
 */
export async function showMembersAgain(context: Context): Promise<number> {
  const found = await findHiddenMembers(context);
  for (const { id } of found) await proposeToShow(context, id);
  for (const channelId of new Set(found.map(({ channelId }) => channelId)))
    void context.wake("settle-cases", channelId);
  return found.length;
}

export async function hasHiddenMembers(context: Context): Promise<boolean> {
  return (await findHiddenMembers(context)).length > 0;
}

async function findHiddenMembers({ database, clock }: Context): Promise<{ id: number; channelId: string }[]> {
  const now = clock.now();
  const { rows } = await sql<{ id: number; channelId: string }>`
    select hidden.id, hidden.channel_id as "channelId" from castellan.rule_decisions as decision
    join castellan.cases as hidden on hidden.id = decision.case_id and hidden.kind = 'hide' and hidden.state = 'applied'
    join castellan.events as happened on happened.id = decision.event_id
    join castellan.listing_entries as member on member.channel_id = hidden.channel_id and member.listing = 'members'
      and member.fid = happened.subject_fid and member.at * 1000 <= decision.decided_at_ms
    where decision.outcome = 'acted' and decision.why is not null and decision.decided_at_ms > ${now - lookedFor}
      and decision.rule_id like 'lockdown-%'
      and not exists (
        select from castellan.cases as shown where shown.undoes_case_id = hidden.id
          and (shown.state <> 'failed' or shown.settled_at_ms > ${now - pauseAfterFailure}))
    order by hidden.id limit ${batch}
  `.execute(database.query);
  return rows;
}

function proposeToShow({ database, clock }: Context, hiddenId: number): Promise<void> {
  return database.transaction(async (tx) => {
    const row = await tx
      .selectFrom("castellan.cases")
      .selectAll()
      .where("id", "=", hiddenId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const hidden = toCase(row);
    const asked = await tx
      .selectFrom("castellan.cases")
      .select("id")
      .where("undoes_case_id", "=", hiddenId)
      .where("state", "=", "requested")
      .executeTakeFirst();
    if (hidden.state !== "applied" || asked) return;
    await proposeCase(tx, clock, {
      guildId: hidden.guildId,
      channelId: hidden.channelId,
      kind: "unhide",
      targetCast: hidden.targetCast ?? undefined,
      actor: { takesBack: hidden },
      undoesCaseId: hidden.id,
      publicReason: `The author was a member: the member list could not be read when case ${showNumber("case", hidden.number)} hid the cast.`,
    });
  });
}
