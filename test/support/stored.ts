import type { Database } from "../../src/database/database.ts";
import type { EventKind } from "../../src/observe/events.ts";

/** What the bot has stored of events, of these kinds or of all, oldest first. */
export function storedEvents({ query }: Pick<Database, "query">, ...kinds: EventKind[]) {
  const events = query.selectFrom("castellan.events").selectAll().orderBy("id");
  return (kinds.length > 0 ? events.where("kind", "in", kinds) : events).execute();
}

export function storedCases({ query }: Pick<Database, "query">) {
  return query.selectFrom("castellan.cases").selectAll().orderBy("id").execute();
}
