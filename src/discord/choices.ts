import { z } from "zod";
import { AppError } from "../errors.ts";
import { TranslatedError } from "../languages/translated-error.ts";
import { discordLimits } from "../limits/discord-limits.ts";
import { encodeCustomId } from "../text/custom-id.ts";
import type { Possibility, RawValues } from "./command.ts";
import type { CommandContext } from "./command-context.ts";
import { addPrompt, promptLife, readPrompt } from "./prompts.ts";
import { textView, type Menu, type View } from "./view.ts";

/** Thrown if several targets are possible. A menu then asks which one; without a menu, the message says what to type. */
export class ChoiceNeeded extends AppError {
  readonly question: string;
  readonly possibilities: readonly Possibility[];

  constructor(question: string, possibilities: readonly Possibility[], message: string) {
    super("invalid_input", message);
    this.question = question;
    this.possibilities = possibilities;
  }
}

/** Options of a command, in stored state. */
export const StoredOptions = z.record(
  z.string(),
  z.union([
    z.string(),
    z.number(),
    z.boolean(),
    z.object({ name: z.string(), size: z.number(), url: z.string() }),
  ]),
);
const ChoiceState = z.object({
  raws: z.array(StoredOptions),
  /** The option that holds all that were chosen, with spaces between them. */
  joins: z.string().optional(),
});

/** Asks which one. The typed command continues with the choice. */
export async function offerChoice(
  context: CommandContext,
  path: string,
  raw: RawValues,
  { question, possibilities }: ChoiceNeeded,
): Promise<View> {
  const offered = possibilities.slice(0, discordLimits.choices);
  const state = { raws: offered.map((one) => ({ ...raw, ...one.raw })) };
  const promptId = await addPrompt(context, context.actor, { path, state, life: promptLife.confirm });
  const more = possibilities.length - offered.length;
  const description = more > 0 ? context.texts.menus.typeAnother(question, more) : question;
  return { ...textView("plain", description), menu: choiceMenu(promptId, question, offered) };
}

/** A menu with multiple choices, which runs `path` with their values of one option joined. */
export async function offerSeveral(
  context: CommandContext,
  path: string,
  placeholder: string,
  possibilities: readonly Possibility[],
  joins: string,
): Promise<Menu> {
  const state = { raws: possibilities.map(({ raw }) => raw), joins };
  const promptId = await addPrompt(context, context.actor, { path, state, life: promptLife.list });
  return { ...choiceMenu(promptId, placeholder, possibilities), several: true };
}

/** The id of a button that runs a command with options that do not fit into it. */
export async function offerRun(context: CommandContext, path: string, raw: RawValues): Promise<string> {
  const state = { raws: [raw] };
  const promptId = await addPrompt(context, context.actor, { path, state, life: promptLife.list });
  return encodeCustomId({ kind: "choose", promptId, choice: "0" });
}

/** The menu whose values are indexes into the prompt's `raws`. */
export function choiceMenu(promptId: string, placeholder: string, offered: readonly Possibility[]): Menu {
  return {
    customId: encodeCustomId({ kind: "choose", promptId }),
    placeholder,
    options: offered.map(({ label, description }, index) => ({
      label,
      value: String(index),
      ...(description !== undefined && { description }),
    })),
  };
}

/** The command to run for the chosen option. Throws `expired` and `not_allowed`. */
export async function readChoice(
  context: CommandContext,
  promptId: string,
  values: readonly string[],
): Promise<{ path: string; raw: RawValues }> {
  const { path, state } = await readPrompt(context, context.actor, promptId);
  const { raws = [], joins } = ChoiceState.safeParse(state).data ?? {};
  const chosen = values.map((value) => raws[Number(value)]).filter((one) => one !== undefined);
  const [raw] = chosen;
  if (raw && joins !== undefined)
    return { path, raw: { ...raw, [joins]: chosen.map((one) => String(one[joins])).join(" ") } };
  if (raw) return { path, raw };
  throw new TranslatedError("expired", ({ outdated }) => outdated.menu);
}
