import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { z } from "zod";
import type { Actor, BotContext } from "../bot-context.ts";
import { TranslatedError } from "../languages/translated-error.ts";

/* The stored data of the buttons, menus and forms under our own answers. */

/** Milliseconds for which buttons work: a day for lists, which change nothing, and minutes for actions. */
export const promptLife = { confirm: 15 * 60_000, list: 24 * 3600_000 } as const;

export interface Prompt {
  id: string;
  path: string;
  state: object;
}

/** Stores the data of a message's buttons, so that they work after a restart. */
export async function addPrompt(
  { database, clock }: BotContext,
  actor: Actor,
  prompt: { path: string; state: object; life: number },
): Promise<string> {
  const id = randomBytes(12).toString("base64url");
  const now = clock.now();
  await database.query
    .insertInto("castellan.prompts")
    .values({
      id,
      path: prompt.path,
      guild_id: actor.guildId,
      room_id: actor.roomId,
      user_id: actor.userId,
      state: JSON.stringify(prompt.state),
      expires_at_ms: now + prompt.life,
    })
    .execute();
  await database.query
    .deleteFrom("castellan.prompts")
    .where("expires_at_ms", "<", now - promptLife.list)
    .execute();
  return id;
}

/** A prompt's data. Throws `expired` if an earlier version stored it in another shape. */
export function readState<S extends z.ZodType>(schema: S, stored: unknown): z.output<S> {
  const state = schema.safeParse(stored);
  if (state.success) return state.data;
  throw new TranslatedError("expired", ({ outdated }) => outdated.buttonsOfEarlier, { cause: state.error });
}

/** The prompt behind a button, only for its actor. Throws `expired` and `not_allowed`. */
export async function readPrompt({ database, clock }: BotContext, actor: Actor, id: string): Promise<Prompt> {
  // An id in another form was never ours, and not every text is a valid query parameter.
  const prompt = /^[\w-]{16}$/.test(id)
    ? await database.query.selectFrom("castellan.prompts").selectAll().where("id", "=", id).executeTakeFirst()
    : undefined;
  if (!prompt || prompt.expires_at_ms <= clock.now()) {
    throw new TranslatedError("expired", ({ outdated }) => outdated.buttons);
  }
  if (prompt.user_id !== actor.userId || prompt.guild_id !== actor.guildId) {
    throw new TranslatedError("not_allowed", ({ outdated }) => outdated.notYours);
  }
  return prompt;
}

/** Answers a prompt once. A second click, or the same click in another process, throws `already_answered`. */
export async function answerPrompt({ database, clock }: BotContext, id: string): Promise<void> {
  const { numUpdatedRows } = await database.query
    .updateTable("castellan.prompts")
    .set({ answered_at_ms: clock.now() })
    .where("id", "=", id)
    .where("answered_at_ms", "is", null)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return;
  throw new TranslatedError("already_answered", ({ outdated }) => outdated.answered);
}

export async function writePromptState({ database }: BotContext, id: string, state: object): Promise<void> {
  await database.query
    .updateTable("castellan.prompts")
    .set({ state: sql`${JSON.stringify(state)}::text::jsonb` })
    .where("id", "=", id)
    .execute();
}
