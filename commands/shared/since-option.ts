import { text, type Option } from "../../src/discord/command.ts";
import { AppError } from "../../src/errors.ts";
import { readSince } from "../../src/text/since.ts";

/** A moment of the past, in UNIX seconds. */
export function sinceOption(description: string): Option<number | undefined> {
  const raw = text({ description, maxLength: 40 });
  return {
    ...raw,
    async read(value, context) {
      const typed = await raw.read(value, context);
      if (typed === undefined) return undefined;
      const since = readSince(typed, Math.floor(context.clock.now() / 1000));
      if ("at" in since) return since.at;
      throw new AppError("invalid_input", since.mistake);
    },
  };
}
