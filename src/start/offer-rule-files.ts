import { z } from "zod";
import { AppError, asAppError } from "../errors.ts";
import { storeFile, type StoringContext } from "../rules/versions/store-file.ts";
import type { Health } from "./health.ts";

const FileOfServer = z.strictObject({
  server: z.string().regex(/^[0-9]{1,20}$/),
  source: z.string(),
  apply: z.boolean(),
});

/** Serves `castellan rules diff` and `apply`: compares a rule file with a server's rules in force, and stores it. */
export function offerRuleFiles(health: Health, bot: StoringContext): void {
  health.takeRuleFile = async (body) => {
    const { success, data } = FileOfServer.safeParse(body);
    if (!success) throw new AppError("invalid_request", "The body must be {server, source, apply}.");
    const { server: guildId, source, apply } = data;
    try {
      return await storeFile(bot, { guildId, source, apply });
    } catch (error) {
      // A fault of the file or the server, not of the request.
      const refused = asAppError(error);
      if (!refused) throw error;
      return { refused: refused.message, mistakes: refused.mistakes };
    }
  };
}
