import { randomBytes } from "node:crypto";
import { ApplicationCommandOptionType } from "discord.js";
import { sql } from "kysely";
import { z } from "zod";
import type { Actor, BotContext } from "../bot-context.ts";
import { AppError } from "../errors.ts";
import { colors } from "../text/colors.ts";
import { encodeCustomId, type CustomId } from "../text/custom-id.ts";
import {
  findHandler,
  type ArgumentsOf,
  type Command,
  type ConfirmHandler,
  type Handler,
  type ListingHandler,
  type Options,
  type Preview,
  type RawValues,
} from "./command.ts";
import type { CommandContext } from "./command-context.ts";
import type { View } from "./view.ts";

/** Runs what somebody typed; `path` is "ban add". */
export async function runHandler(
  context: CommandContext,
  path: string,
  handler: Handler,
  raw: RawValues,
): Promise<View> {
  const args = await readArguments(context, handler.options, raw);
  switch (handler.kind) {
    case "answer":
      return handler.run(context, args);
    case "confirm":
      return confirmFirst(context, path, handler, await handler.preview(context, args));
    case "form":
      throw new Error(`/${path} begins with a form`);
    case "listing": {
      const state = { raw, cursors: [] };
      const life = promptLife.list;
      return turnPage(context, handler, args, state, 0, () =>
        addPrompt(context, context.actor, { path, state, life }),
      );
    }
  }
}

/** Options out of a button's id, in the types that Discord sends. */
export function typeOptions(handler: Handler, options: Readonly<Record<string, string>>): RawValues {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => {
      const type = handler.options[name]?.type;
      if (type === ApplicationCommandOptionType.Integer) return [name, Number(value)];
      return [name, type === ApplicationCommandOptionType.Boolean ? value === "true" : value];
    }),
  );
}

export async function readArguments(
  context: CommandContext,
  options: Options,
  raw: RawValues,
): Promise<ArgumentsOf<Options>> {
  const args: Record<string, unknown> = {};
  for (const [name, option] of Object.entries(options)) args[name] = await option.read(raw[name], context);
  return args;
}

/** Puts Confirm and Cancel under a preview that has something to confirm. */
export async function confirmFirst(
  context: CommandContext,
  path: string,
  handler: Pick<ConfirmHandler, "confirmLabel">,
  { view, state }: Preview<unknown>,
): Promise<View> {
  if (state === undefined) return view;
  const life = promptLife.confirm;
  const promptId = await addPrompt(context, context.actor, { path, state: { confirmed: state }, life });
  return {
    ...view,
    buttons: [
      ...(view.buttons ?? []),
      [
        {
          customId: encodeCustomId({ kind: "confirm", promptId }),
          label: handler.confirmLabel,
          style: "danger",
        },
        { customId: encodeCustomId({ kind: "cancel", promptId }), label: "Cancel", style: "secondary" },
      ],
    ],
  };
}

const ListState = z.object({
  raw: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  /** Where pages 1, 2, … begin. */
  cursors: z.array(z.string()),
});
type ListState = { raw: RawValues; cursors: string[] };

const ConfirmState = z.object({ confirmed: z.unknown() });

/** Does what a button under one of our own answers asks for. */
export async function runButton(
  context: CommandContext,
  commands: readonly Command[],
  id: CustomId,
): Promise<View> {
  if (id.kind === "command" || id.kind === "run" || id.kind === "form" || id.kind === "answer") {
    throw outdatedButton();
  }
  const prompt = await readPrompt(context, context.actor, id.promptId);
  const handler = findHandler(commands, prompt.path);
  if (id.kind === "page") {
    if (handler?.kind !== "listing") throw outdatedButton();
    return showPage(context, handler, prompt, id.page);
  }
  if (handler?.kind !== "confirm" && handler?.kind !== "form") throw outdatedButton();
  if (id.kind === "cancel") {
    await answerPrompt(context, prompt.id);
    return { embeds: [{ description: "Cancelled. Nothing was done.", color: colors.plain }] };
  }
  const { confirmed } = ConfirmState.parse(prompt.state);
  await answerPrompt(context, prompt.id);
  return handler.act(context, confirmed);
}

function outdatedButton(): AppError {
  return new AppError("expired", "This button is from an older version. Please run the command again.");
}

async function showPage(
  context: CommandContext,
  handler: ListingHandler,
  prompt: Prompt,
  page: number,
): Promise<View> {
  const state = ListState.parse(prompt.state);
  const args = await readArguments(context, handler.options, state.raw);
  return turnPage(context, handler, args, state, page, async (next) => {
    await writePromptState(context, prompt.id, next);
    return prompt.id;
  });
}

async function turnPage(
  context: CommandContext,
  handler: ListingHandler,
  args: ArgumentsOf<Options>,
  state: ListState,
  page: number,
  save: (state: ListState) => Promise<string>,
): Promise<View> {
  const cursor = page === 0 ? undefined : state.cursors[page - 1];
  if (page !== 0 && cursor === undefined)
    throw new AppError("expired", "That page is gone. Please run the command again.");
  const { view, next } = await handler.page(context, args, cursor);
  if (next === undefined && page === 0) return view;
  if (next !== undefined) state.cursors[page] = next;
  const promptId = await save(state);
  const button = (label: string, to: number) => ({
    customId: encodeCustomId({ kind: "page", promptId, page: to }),
    label,
    style: "secondary" as const,
  });
  const row = [
    ...(page > 0 ? [button("Back", page - 1)] : []),
    ...(next === undefined ? [] : [button("Next", page + 1)]),
  ];
  return { ...view, buttons: [...(view.buttons ?? []), row] };
}

/** How long buttons work, in milliseconds. A day for lists, which change nothing; minutes for what acts. */
export const promptLife = { confirm: 15 * 60_000, list: 24 * 3600_000 } as const;

interface Prompt {
  id: string;
  path: string;
  state: object;
}

/** Keeps what a message's buttons need, so that they work after a restart. */
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

/** The prompt behind a button, for its actor alone. Throws `expired` and `not_allowed`. */
export async function readPrompt({ database, clock }: BotContext, actor: Actor, id: string): Promise<Prompt> {
  // An id of another form was never ours, and not every text can be asked for.
  const prompt = /^[\w-]{16}$/.test(id)
    ? await database.query.selectFrom("castellan.prompts").selectAll().where("id", "=", id).executeTakeFirst()
    : undefined;
  if (!prompt || prompt.expires_at_ms <= clock.now()) {
    throw new AppError(
      "expired",
      "These buttons are too old. Nothing was done; please run the command again.",
    );
  }
  if (prompt.user_id !== actor.userId || prompt.guild_id !== actor.guildId) {
    throw new AppError("not_allowed", "These buttons belong to whoever ran the command.");
  }
  return prompt;
}

/** Answers a prompt once: a second click, or the same click in another process, throws `already_answered`. */
async function answerPrompt({ database, clock }: BotContext, id: string): Promise<void> {
  const { numUpdatedRows } = await database.query
    .updateTable("castellan.prompts")
    .set({ answered_at_ms: clock.now() })
    .where("id", "=", id)
    .where("answered_at_ms", "is", null)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return;
  throw new AppError("already_answered", "This has already been answered. /case list shows the outcome.");
}

export async function writePromptState({ database }: BotContext, id: string, state: object): Promise<void> {
  await database.query
    .updateTable("castellan.prompts")
    .set({ state: sql`${JSON.stringify(state)}::text::jsonb` })
    .where("id", "=", id)
    .execute();
}
