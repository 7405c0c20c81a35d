import type { Queryable } from "../../database/database.ts";
import type { ChannelEvent } from "../../observe/events.ts";
import { idOfSource, sourceOf } from "../../text/review-sources.ts";

/**
 * The people responsible if no rule was: a case's actor by the case's id, the reporters of a review item, or the person
 * who changed the setup, by Discord id.
 */
export type People = { caseId: number } | { itemId: number } | { userId: string };

/** The people who caused an event, as one server knows them; undefined for a rule, or nobody in particular. */
export async function findPeople(
  query: Queryable,
  guildId: string,
  event: ChannelEvent,
): Promise<People | undefined> {
  const { data } = event;
  if (event.kind === "review.held")
    return sourceOf(event.data.ruleId) === "rule" ? undefined : { itemId: event.data.itemId };
  const row = await query
    .selectFrom("castellan.cases")
    .select(["id", "cause_event_id as causeEventId"])
    .where("guild_id", "=", guildId)
    .where((is) => is.or([is("id", "=", event.caseId), is("event_id", "=", event.id)]))
    .executeTakeFirst();
  if (row) return findOfCase(query, row);
  return "userId" in data && typeof data.userId === "string" ? { userId: data.userId } : undefined;
}

/** The people who caused a case; undefined if a rule opened it, or requested a review of it. */
export async function findOfCase(
  query: Queryable,
  { id, causeEventId }: { id: number; causeEventId: number | null },
): Promise<People | undefined> {
  if (causeEventId === null) return { caseId: id };
  const item = await query
    .selectFrom("castellan.review_items")
    .select("id")
    .where("event_id", "=", causeEventId)
    .where("rule_id", "in", Object.values(idOfSource))
    .executeTakeFirst();
  return item && { itemId: item.id };
}
