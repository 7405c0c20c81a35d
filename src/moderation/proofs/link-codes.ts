import { randomInt } from "node:crypto";
import { sql, type Selectable } from "kysely";
import type { Actor, BotContext } from "../../bot-context.ts";
import { camelCased, type CamelCased } from "../../database/camel-case.ts";
import type { Tx } from "../../database/database.ts";
import type { ModerationTables } from "../../database/tables/moderation.ts";

/** A code issued to a Discord user to prove that they own or moderate a channel, for one server. */
export type LinkCode = CamelCased<Selectable<ModerationTables["castellan.link_codes"]>>;

/** How long a code is valid, in minutes. */
export const codeMinutes = 15;

/** Digits and letters that are not easily confused. */
const letters = "0123456789abcdefghjkmnpqrstvwxyz";

/** Sixty random bits, which cannot be guessed. */
function makeCode(): string {
  const group = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join("");
  return ["castellan", group(), group(), group()].join("-");
}

/**
 * The actor's code for the channel: the existing one, if it is valid and nobody has cast it, otherwise a new one. A code
 * that was cast is public.
 */
export async function giveCode(context: BotContext, actor: Actor, channelId: string): Promise<LinkCode> {
  const known = await findCode(context, actor, channelId, "uncast");
  if (known) return known;
  const now = context.clock.now();
  const row = await context.database.query
    .insertInto("castellan.link_codes")
    .values({
      code: makeCode(),
      guild_id: actor.guildId,
      channel_id: channelId,
      user_id: actor.userId,
      room_id: actor.roomId,
      made_at_ms: now,
      expires_at_ms: now + codeMinutes * 60_000,
      used_at_ms: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  // The hub's poll may be paused, because nobody needed it.
  await context.wake("poll-hub");
  return camelCased(row);
}

/** The actor's newest valid code for the channel. */
export async function findCode(
  { database, clock }: BotContext,
  { guildId, userId }: Actor,
  channelId: string,
  which: "any" | "uncast" = "any",
): Promise<LinkCode | undefined> {
  const row = await database.query
    .selectFrom("castellan.link_codes")
    .selectAll()
    .where("guild_id", "=", guildId)
    .where("channel_id", "=", channelId)
    .where("user_id", "=", userId)
    .where("used_at_ms", "is", null)
    .where("expires_at_ms", ">", clock.now())
    .$if(which === "uncast", (query) =>
      query.where(
        sql<boolean>`not exists (select from castellan.code_casts where code_casts.code = link_codes.code)`,
      ),
    )
    .orderBy("made_at_ms", "desc")
    .limit(1)
    .executeTakeFirst();
  return row && camelCased(row);
}

/** Uses a code up; false if it was already used. Locks it until the commit. */
export async function spendCode(tx: Tx, code: string, nowMs: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("castellan.link_codes")
    .set({ used_at_ms: nowMs })
    .where("code", "=", code)
    .where("used_at_ms", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
