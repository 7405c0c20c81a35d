import { randomBytes } from "node:crypto";
import type { Database } from "./database.ts";

/** What tells this installation from others that share something with it: the same in all of its processes. */
export async function readInstallationId({ query }: Pick<Database, "query">): Promise<string> {
  const find = query.selectFrom("castellan.installation").select("id");
  const found = await find.executeTakeFirst();
  if (found) return found.id;
  await query
    .insertInto("castellan.installation")
    .values({ id: randomBytes(6).toString("hex") })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await find.executeTakeFirstOrThrow()).id;
}
