import { randomBytes } from "node:crypto";
import type { Database } from "./database.ts";

/** The id of this installation, shared by all of its processes, to distinguish it from others. */
export async function readInstallationId({ query }: Pick<Database, "query">): Promise<string> {
  const found = await findInstallationId({ query });
  if (found !== undefined) return found;
  await query
    .insertInto("castellan.installation")
    .values({ id: randomBytes(6).toString("hex") })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { id } = await query.selectFrom("castellan.installation").select("id").executeTakeFirstOrThrow();
  return id;
}

/** The same; undefined if it has not been requested yet. */
export async function findInstallationId({ query }: Pick<Database, "query">): Promise<string | undefined> {
  return (await query.selectFrom("castellan.installation").select("id").executeTakeFirst())?.id;
}
