import { z } from "zod";
import { AppError } from "../../errors.ts";

/** An action as it is written in one line of a form, and in a file. */
interface Short {
  read: RegExp;
  toEntry: (found: RegExpExecArray) => object;
}

const shorts: readonly Short[] = [
  { read: /^(hide|unhide|pin|unban|alert)$/, toEntry: ([, name = ""]) => ({ [name]: {} }) },
  { read: /^invite$/, toEntry: () => ({ invite: { role: "member" } }) },
  { read: /^soft[ _]ban$/, toEntry: () => ({ soft_ban: {} }) },
  { read: /^ban(?: permanent(?:ly)?)?$/, toEntry: () => ({ ban: {} }) },
  { read: /^ban (?:for )?(.+)$/, toEntry: ([, span]) => ({ ban: { for: span } }) },
  { read: /^review$/, toEntry: () => ({ review: {} }) },
  { read: /^review (?:in )?([a-z0-9][a-z0-9-]{0,39})$/, toEntry: ([, queue]) => ({ review: { queue } }) },
  {
    read: /^strike(?: ([0-9]{1,3}))?(?: for (.+))?$/,
    toEntry: ([, points, ttl]) => ({
      strike: { ...(points !== undefined && { points: Number(points) }), ...(ttl !== undefined && { ttl }) },
    }),
  },
];

/** How actions are written in one line. */
export const actionsExample = "hide, strike 2 for 30d, review links, ban 7d, alert";

/** The actions of a rule that somebody wrote in one line: "hide, ban 7d". Throws `invalid_input`. */
export function readActions(line: string): object[] {
  const parts = line
    .toLowerCase()
    .split(",")
    .map((part) => part.trim().replace(/\s+/g, " "));
  return parts.map((part) => {
    for (const { read, toEntry } of shorts) {
      const found = read.exec(part);
      if (found) return toEntry(found);
    }
    const what = part === "" ? "There is an action missing" : `"${part.slice(0, 40)}" is not an action`;
    throw new AppError("invalid_input", `${what}. Write it as in: ${actionsExample}.`);
  });
}

const Written = z.object({
  then: z.array(z.record(z.string(), z.record(z.string(), z.union([z.string(), z.number()])))),
});

/** The same, the other way round, of one of our own rules. */
export function writeActions(entry: Readonly<Record<string, unknown>>): string {
  const { then } = Written.parse(entry);
  return then
    .flatMap((action) => Object.entries(action).map(([name, given]) => writeAction(name, given)))
    .join(", ");
}

function writeAction(
  name: string,
  { for: span, queue, points, ttl }: Readonly<Record<string, string | number>>,
): string {
  const length = ttl === undefined ? "" : ` for ${ttl}`;
  return [name, span ?? queue ?? points].filter((part) => part !== undefined).join(" ") + length;
}
