import { sql } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import { showNumber } from "../../text/numbered.ts";
import { banKinds, inForce, type Case, type CaseKind } from "./case.ts";
import type { Reading } from "./effects.ts";
import { readStandingBan } from "./standing-bans.ts";

/** Why a case is dropped just before it goes out, by what the network shows; undefined where nothing speaks against it. */
export async function findObstacle(
  context: BotContext,
  subject: Case,
  { version }: Pick<Reading, "version">,
): Promise<string | undefined> {
  if (subject.endsCaseId !== null) {
    return subject.kind === "unban" ? findStrongerBan(context, subject) : undefined;
  }
  if (subject.kind === "new_end" && version === "") {
    return "Nothing was changed: the user is not banned any more.";
  }
  if (subject.undoesCaseId !== null && subject.sentAtMs === null) {
    const holder = await findHolder(context, subject);
    if (holder !== undefined) return `Not undone: ${holder}.`;
  }
  if (subject.actorKind !== "rule" || subject.sentAtMs !== null) return undefined;
  const { absent, paused } = await context.database.query
    .selectNoFrom((is) => [
      is
        .exists(
          is
            .selectFrom("castellan.absent_servers")
            .select("since_ms")
            .where("guild_id", "=", subject.guildId),
        )
        .as("absent"),
      is
        .exists(
          is
            .selectFrom("castellan.automod_pauses")
            .select("paused_by")
            .where("guild_id", "=", subject.guildId)
            .where("channel_id", "=", subject.channelId)
            .where((ends) =>
              ends.or([ends("until_ms", "is", null), ends("until_ms", ">", context.clock.now())]),
            ),
        )
        .as("paused"),
    ])
    .executeTakeFirstOrThrow();
  if (absent) return "Not done: Castellan was removed from the server before it went out.";
  return paused ? "Not done: rules were paused before it went out." : undefined;
}

/** Why a timed ban must not be lifted after all: a stronger one came meanwhile, or is about to. */
async function findStrongerBan(
  { database, clock }: BotContext,
  { target }: Case,
): Promise<string | undefined> {
  const { query } = database;
  const now = clock.now();
  const requested = await query
    .selectFrom("castellan.cases")
    .select("number")
    .where("lane", "=", target)
    .where("kind", "in", banKinds)
    .where("state", "=", "requested")
    .where((is) => is.or([is("due_at_ms", "is", null), is("due_at_ms", ">", now)]))
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  const standing = await readStandingBan(query, target);
  const isOver = standing?.untilMs != null && standing.untilMs <= now;
  const number = requested?.number ?? (isOver ? undefined : standing?.by.number);
  return number === undefined
    ? undefined
    : `Not lifted: case ${showNumber("case", number)} bans the user for longer.`;
}

/** What did, after the case that is to be taken back, the same to its target; in words. */
async function findHolder({ database }: BotContext, subject: Case): Promise<string | undefined> {
  const holder = await database.query
    .selectFrom("castellan.cases as holder")
    .innerJoin("castellan.cases as undone", (join) =>
      join.onRef("undone.lane", "=", "holder.lane").onRef("undone.kind", "=", "holder.kind"),
    )
    .select(["holder.number", "holder.guild_id", "holder.kind"])
    .where("undone.id", "=", subject.undoesCaseId)
    .whereRef("holder.id", ">", "undone.id")
    .where("holder.state", "in", inForce)
    // Of ends each server has its own.
    .where("holder.kind", "<>", "new_end")
    // What others did outside is a case in every server.
    .where(
      sql<boolean>`(holder.claimed_event_id is null or holder.claimed_event_id is distinct from undone.claimed_event_id)`,
    )
    .orderBy("holder.id")
    .limit(1)
    .executeTakeFirst();
  if (!holder) return undefined;
  const by =
    holder.guild_id === subject.guildId ? `case ${showNumber("case", holder.number)}` : "another server";
  return standsBy(by, holder.kind);
}

/** Why a case cannot be taken back where `holder` did the same; with the command that ends it whoever did it. */
export function standsBy(holder: string, kind: CaseKind): string {
  const way = endsAll[kind];
  return `${holder} did the same, and that stands${way === undefined ? "" : ` (${way})`}`;
}

const endsAll: Partial<Record<CaseKind, string>> = {
  ban: "/ban remove lifts the ban, whoever banned",
  hide: "/unhide shows the cast again, whoever hid it",
};
