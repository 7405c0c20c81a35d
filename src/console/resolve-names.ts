import type { CommandContext } from "../discord/command-context.ts";
import type { ConsoleParts } from "./console-parts.ts";

/** An answer, with the names of the people, roles and rooms that it mentions. */
export type Named<T> = T & { names: Record<string, string> };

/** Adds the names to an answer. */
export type Name = <T extends object>(context: CommandContext, answer: T) => Promise<Named<T>>;

export function createNaming({ members }: Pick<ConsoleParts, "members">): Name {
  return async ({ actor }, answer) => ({
    ...answer,
    names: await members.namesIn(actor.guildId, JSON.stringify(answer)),
  });
}
