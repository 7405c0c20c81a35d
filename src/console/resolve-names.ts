import type { CommandContext } from "../discord/command-context.ts";
import type { ConsoleParts } from "./console-parts.ts";

/** Puts beside an answer what people, roles and rooms are called that it mentions. */
export type Name = <T extends object>(
  context: CommandContext,
  answer: T,
) => Promise<T & { names: Record<string, string> }>;

export function createNaming({ members }: Pick<ConsoleParts, "members">): Name {
  return async ({ actor }, answer) => ({
    ...answer,
    names: await members.namesIn(actor.guildId, JSON.stringify(answer)),
  });
}
