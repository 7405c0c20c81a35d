import { z } from "zod";
import { AppError } from "../errors.ts";
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

const Raw = z.record(
  z.string(),
  z.union([
    z.string(),
    z.number(),
    z.boolean(),
    z.object({ name: z.string(), size: z.number(), url: z.string() }),
  ]),
);
const ChoiceState = z.object({ raws: z.array(Raw) });

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
  const description = more > 0 ? `${question} (Type one of the ${more} others.)` : question;
  return { ...textView("plain", description), menu: choiceMenu(promptId, question, offered) };
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
  value: string | undefined,
): Promise<{ path: string; raw: RawValues }> {
  const { path, state } = await readPrompt(context, context.actor, promptId);
  const raw = ChoiceState.safeParse(state).data?.raws[Number(value)];
  if (raw) return { path, raw };
  throw new AppError("expired", "This menu is from an older version. Please run the command again.");
}
