import { z } from "zod";
import type { RoomButton } from "../feed/rooms.ts";
import { discordLimits } from "../limits/discord-limits.ts";
import { encodeCustomId } from "../text/custom-id.ts";
import { choiceMenu } from "./choices.ts";
import type { LabeledForm, Question } from "./command.ts";
import type { CommandContext } from "./command-context.ts";
import { storeForm } from "./opened-form.ts";
import { addPrompt, promptLife, type Prompt } from "./prompts.ts";
import type { View } from "./view.ts";

/** Puts a question's answers under a preview. They share one prompt, so only the first click counts. */
export async function offerQuestion(
  context: CommandContext,
  path: string,
  view: View,
  { answers, changes, menu }: Question<unknown>,
): Promise<View> {
  const offered = menu?.options.slice(0, discordLimits.choices) ?? [];
  const states = answers.flatMap((one) => ("state" in one ? [one.state] : []));
  const raws = [...offered, ...changes.filter((one) => "raw" in one)].map(({ raw }) => raw);
  const state = { answers: states, raws };
  const promptId = await addPrompt(context, context.actor, { path, state, life: promptLife.confirm });
  const open = async ({ label, form }: LabeledForm, style: RoomButton["style"]): Promise<RoomButton> => {
    const { customId } = await storeForm(context, path, form, "fill");
    return { customId, label, style };
  };
  const confirmButton = async (label: string, place: number): Promise<RoomButton> => ({
    customId: encodeCustomId({ kind: "confirm", promptId, choice: String(place) }),
    label,
    style: "danger",
  });
  const changeButton = async (label: string, place: number): Promise<RoomButton> => ({
    customId: encodeCustomId({ kind: "choose", promptId, choice: String(place) }),
    label,
    style: "secondary",
  });
  const confirming = answers.map((one) =>
    "form" in one ? open(one, "danger") : confirmButton(one.label, states.indexOf(one.state)),
  );
  const changing = changes.map((one) =>
    "form" in one ? open(one, "secondary") : changeButton(one.label, raws.indexOf(one.raw)),
  );
  const cancel: RoomButton = {
    customId: encodeCustomId({ kind: "cancel", promptId }),
    label: "Cancel",
    style: "secondary",
  };
  return {
    ...view,
    ...(menu && offered.length > 0 && { menu: choiceMenu(promptId, menu.placeholder, offered) }),
    buttons: [
      ...(view.buttons ?? []),
      await Promise.all(confirming),
      [...(await Promise.all(changing)), cancel],
    ],
  };
}

const Confirmed = z.object({ confirmed: z.unknown() });
const Answers = z.object({ answers: z.array(z.unknown()) });

/** The state that a button confirms; `choice` is the index of one of several answers. Undefined for an unknown question. */
export function readConfirmed({ state }: Prompt, choice: string | undefined): unknown {
  if (choice === undefined) return Confirmed.safeParse(state).data?.confirmed;
  return Answers.safeParse(state).data?.answers[Number(choice)];
}
