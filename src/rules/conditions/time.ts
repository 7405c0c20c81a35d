import { z } from "zod";
import type { ConditionKind, Leaf } from "../evaluate/condition.ts";
import { ruleEvents } from "../evaluate/occurrence.ts";
import { isTimeZone } from "../../text/time-zone.ts";

const days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;
const clockTime = z
  .string()
  .regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, 'must be a time of day in quotes, such as "22:00"');
const noTime = "never holds: the span is empty. Leave between out for the whole day";
const Zone = z.string().max(60).refine(isTimeZone, 'must be a time zone, such as "Europe/Berlin" or "UTC"');

/** The local time of the event in a time zone. */
export const time: ConditionKind = {
  name: "time",
  events: ruleEvents,
  schema: () =>
    z
      .strictObject({
        between: z.tuple([clockTime, clockTime]).optional(),
        days: z.array(z.enum(days)).min(1).max(7).optional(),
        zone: Zone.default("UTC"),
      })
      .transform(({ between, days: wanted, zone }, context): Leaf => {
        if (!between && !wanted) {
          context.issues.push({ code: "custom", message: "needs between, days or both", input: undefined });
          return z.NEVER;
        }
        const format = new Intl.DateTimeFormat("en-GB", {
          timeZone: zone,
          weekday: "short",
          hour: "2-digit",
          minute: "2-digit",
          hourCycle: "h23",
        });
        const span = between ? ` between ${between.join(" and ")}` : "";
        const [from, until] = between ?? [];
        return {
          needs: [],
          cost: 5,
          ...(from !== undefined && from === until && { never: noTime }),
          sentence: `it happened${span}${wanted ? ` on ${wanted.join(", ")}` : ""} (${zone})`,
          read({ event }) {
            const [day = "", now = ""] = format.format(event.occurredAt * 1000).split(/,? /);
            const onDay = !wanted || wanted.some((one) => one === day.toLowerCase());
            return { truth: onDay && (!between || isBetween(now, between)), value: `${day} ${now}` };
          },
        };
      }),
};

/** The start is included, the end is not; a span can cross midnight. */
function isBetween(now: string, [from, until]: readonly [string, string]): boolean {
  return from <= until ? now >= from && now < until : now >= from || now < until;
}
