import { sql } from "kysely";
import { z } from "zod";
import type { ConditionKind } from "../evaluate/condition.ts";
import { userEvents } from "../evaluate/occurrence.ts";
import { countSource } from "../facts/count-source.ts";
import { needOf } from "../facts/fact.ts";
import { durationBetween } from "../language/duration.ts";
import { factField, flagLeaf } from "./make-condition.ts";

/** Taking a first name is not a change. */
const source = countSource<[within: number]>(
  "names seen at the hub",
  sql`
    select asked.index, count(*) as count from asked join castellan.events as named
      on named.channel_id is null and named.subject_fid = asked.fid and named.kind = 'username_proof.merged'
        and named.occurred_at > asked.since and named.id <= asked.event and named.data ? 'previousName'
    group by asked.index
  `,
  ({ event }, within) => ({ since: event.occurredAt - within }),
  () => "Castellan sees names from the link on",
);

/** How often the hub reported a name change of the author in the seconds up to the event. */
export const renamings = (within: number) => needOf(source, within);

/** Whether the author recently changed names. Needs no network call, unlike author.name_changes. */
export const authorRenamed: ConditionKind = {
  name: "author.renamed",
  events: userEvents,
  sources: [source],
  schema: () =>
    z.strictObject({ within: durationBetween("1m", "30d") }).transform(({ within }) => {
      const field = factField(renamings(within.seconds), (times) => times > 0);
      return flagLeaf(`the author changed their name within ${within.text}`, field);
    }),
};
