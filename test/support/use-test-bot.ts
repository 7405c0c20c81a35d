import { afterAll, beforeEach } from "vitest";
import { createTestBot, seedChannel, type TestBot } from "./bot.ts";

/** A bot for the tests of one file: before each there is the channel memes alone, linked to server g1. */
export async function useTestBot(): Promise<TestBot> {
  const bot = await createTestBot();
  beforeEach(async () => {
    await bot.database.truncate();
    await seedChannel(bot, "memes", "g1");
  });
  afterAll(() => bot.database.close());
  return bot;
}
