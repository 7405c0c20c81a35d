// @ts-nocheck
import { createHash } from "node:crypto";
import type { Client } from "discord.js";
import type { BotContext } from "../bot-context.ts";
import type { Command } from "./command.ts";
import { toCommandData } from "./command-data.ts";

/** Tells Discord the commands when they changed since last time: it allows 200 creations a day. */
export async function deployCommands(
  { database, log }: BotContext,
  client: Client<true>,
  commands: readonly Command[],
): Promise<boolean> {
  const data = commands.map(toCommandData);
  const commands_hash = createHash("sha256").update(JSON.stringify(data)).digest("hex");
  const application_id = client.application.id;
  const deployed = await database.query
    .selectFrom("castellan.deployments")
    .select("commands_hash")
    .where("application_id", "=", application_id)
    .executeTakeFirst();
  if (deployed?.commands_hash === commands_hash) return false;
  await client.application.commands.set(data);
  await database.query
    .insertInto("castellan.deployments")
    .values({ application_id, commands_hash })
    .onConflict((conflict) => conflict.column("application_id").doUpdateSet({ commands_hash }))
    .execute();
  log.info({ commands: data.length }, "commands deployed");
  return true;
}
