import { text, type Option, type Suggest } from "../../src/discord/command.ts";
import { readNumber, type Numbered } from "../../src/text/numbered.ts";

/** The number of a case, a bulk, an event or a review, as people write it: "C-12", "#12", "12". */
export function numberOption(of: Numbered, description: string, suggest?: Suggest): Option<number> {
  const raw = text({ description, required: true, maxLength, ...(suggest && { suggest }) });
  return { ...raw, read: async (value, context) => readNumber(of, await raw.read(value, context)) };
}

/** The same where it may be left out. */
export function optionalNumber(of: Numbered, description: string): Option<number | undefined> {
  const raw = text({ description, maxLength });
  return {
    ...raw,
    async read(value, context) {
      const typed = await raw.read(value, context);
      return typed === undefined ? undefined : readNumber(of, typed);
    },
  };
}

const maxLength = 30;
