import type { Queryable } from "../../database/database.ts";
import { bodyOf, selectBody, textBody } from "../../observe/cast-body.ts";
import type { CastBody } from "../../text/show-cast.ts";
import type { Occurrence } from "../evaluate/occurrence.ts";

/** The cast or name of an event as the rules saw it, with the cast's other content; null if there is none. */
export async function readSeen(
  db: Queryable,
  { event, text, name }: Pick<Occurrence, "event" | "text" | "name">,
): Promise<CastBody | null> {
  if (event.kind === "cast.created") return bodyOf(event.data);
  const raw = (text ?? name)?.raw;
  if (raw === undefined) return null;
  const hash = text !== null && "castHash" in event.data ? event.data.castHash : null;
  if (hash === null) return textBody(raw);
  const row = await db
    .selectFrom("castellan.casts")
    .select(selectBody("castellan.casts").as("body"))
    .where("hash", "=", hash)
    .executeTakeFirst();
  return { ...(row?.body ?? textBody(raw)), text: raw };
}
