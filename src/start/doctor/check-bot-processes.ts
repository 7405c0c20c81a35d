import { holderOf, readBotProcesses, type BotProcess } from "../../discord/bot-processes.ts";
import type { Database } from "../../database/database.ts";
import { ok, unknown, type Finding } from "./finding.ts";

/** Which bot process answers which of Discord's shards. */
export async function checkBotProcesses(database: Pick<Database, "query">): Promise<Finding> {
  const part = "Bot processes";
  const present = await readBotProcesses(database);
  if (present.length === 0) return unknown(part, "none answers now on this database");
  return ok(part, present.map((each) => `${each.name} ${describeShare(each, present)}`).join("; "));
}

function describeShare(own: BotProcess, present: readonly BotProcess[]): string {
  const all = [...Array(present[0]?.shardCount ?? 0).keys()];
  const shards = all.filter((shard) => holderOf(present, shard) === own);
  if (shards.length === 0) return "stands by";
  return `answers ${shards.length === 1 ? "shard" : "shards"} ${shards.join(", ")}`;
}
