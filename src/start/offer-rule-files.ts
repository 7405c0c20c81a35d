import { z } from "zod";
import { storeFile, type StoringContext } from "../rules/versions/store-file.ts";
import type { Health } from "./health.ts";
import { offerTask, ServerId } from "./operator-tasks.ts";

const FileOfServer = z.strictObject({ server: ServerId, source: z.string(), apply: z.boolean() });

/** Serves `castellan rules diff` and `apply`: compares a rule file with a server's rules in force, and stores it. */
export function offerRuleFiles(health: Health, bot: StoringContext): void {
  offerTask(health, "rules", FileOfServer, ({ server: guildId, source, apply }) =>
    storeFile(bot, { guildId, source, apply }),
  );
}
