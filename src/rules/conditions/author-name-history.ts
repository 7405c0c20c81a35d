import { z } from "zod";
import { numberTests, orMore } from "../comparisons/number-tests.ts";
import type { ConditionKind } from "../evaluate/condition.ts";
import { userEvents } from "../evaluate/occurrence.ts";
import { needOf } from "../facts/fact.ts";
import { authorSource } from "../facts/read-network.ts";
import { durationBetween, showSpan, Span } from "../language/duration.ts";
import { factField, notKnown, numberCondition, numberLeaf } from "./make-condition.ts";

/** Nobody changes names this often; keeps one event's cost bounded. */
const maxPages = 5;

interface NameHistory {
  /** When the author gained each name, oldest first: UNIX seconds. */
  gained: readonly number[];
  /** When they gained their present name. */
  heldSince: number | null;
}

const source = authorSource<NameHistory>({
  name: "name registry",
  everywhere: true,
  async read({ network }, { fid }, signal) {
    const gained: number[] = [];
    let heldSince: number | null = null;
    let from_id = 0;
    for (let page = 0; page < maxPages; page++) {
      const { transfers } = await network.transfers.list({ fid, from_id }, { signal });
      for (const { to, timestamp } of transfers) {
        if (to === fid) gained.push(timestamp);
        heldSince = to === fid ? timestamp : null;
      }
      const last = transfers.at(-1);
      if (!last || transfers.length < 100) break;
      from_id = last.id;
    }
    return { gained, heldSince };
  },
});
/** The author's name changes in the registry. */
export const nameHistory = needOf(source);

/** How long the author has held their name. */
export const authorNameAge = numberCondition({
  name: "author.name_age",
  called: "the age of the author's name",
  events: userEvents,
  tests: numberTests(Span),
  show: showSpan,
  field: factField(nameHistory, ({ heldSince }, { event }) =>
    heldSince === null ? notKnown("the author holds no name") : Math.max(0, event.occurredAt - heldSince),
  ),
});

/** How often the author gained a name recently. */
export const authorNameChanges: ConditionKind = {
  name: "author.name_changes",
  events: userEvents,
  sources: [source],
  schema: () =>
    z
      .strictObject({ within: durationBetween("1h", "365d"), gte: z.int().min(1).max(100) })
      .transform(({ within, gte }) => {
        const called = `the number of names that the author took within ${within.text}:`;
        const field = factField(nameHistory, ({ gained }, { event: { occurredAt } }) => {
          const since = occurredAt - within.seconds;
          return gained.filter((time) => time > since && time <= occurredAt).length;
        });
        return numberLeaf(called, field, orMore(gte));
      }),
};
