import { randomBytes } from "node:crypto";
import type { Database } from "./database.ts";

/** What tells this installation from others that share something with it: the same in all of its processes. */
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

/** The same; undefined where nothing has asked for it yet. */
export async function findInstallationId({ query }: Pick<Database, "query">): Promise<string | undefined> {
  return (await query.selectFrom("castellan.installation").select("id").executeTakeFirst())?.id;
}
