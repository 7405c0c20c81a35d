import { afterAll, beforeEach } from "vitest";
import type { NetworkSettings } from "../../src/api/context.ts";
import type { DiscordOptions } from "../../src/sandbox/discord/start-discord.ts";
import { resetBot, startBotInDiscord, type BotInDiscord } from "./bot-in-discord.ts";
import { createObserver, type Observer } from "./observer.ts";
import {
  startReviewsInDiscord,
  startRulesInDiscord,
  type ReviewsInDiscord,
  type RulesInDiscord,
} from "./rules-in-discord.ts";

/*
 * Scenes for all tests of a file: each test finds them as they began, and they end after the last. Call these at the top
 * of the file.
 */

export async function useBotInDiscord(options?: Partial<DiscordOptions>): Promise<BotInDiscord> {
  const scene = await startBotInDiscord(options);
  beforeEach(() => resetBot(scene));
  afterAll(() => scene.stop());
  return scene;
}

export async function useRulesInDiscord(): Promise<RulesInDiscord> {
  const scene = await startRulesInDiscord();
  beforeEach(() => scene.reset());
  afterAll(() => scene.stop());
  return scene;
}

export async function useReviewsInDiscord(options?: Partial<DiscordOptions>): Promise<ReviewsInDiscord> {
  const scene = await startReviewsInDiscord(options);
  beforeEach(() => scene.reset());
  afterAll(() => scene.stop());
  return scene;
}

export async function useObserver(settings?: Partial<NetworkSettings>): Promise<Observer> {
  const observer = await createObserver(settings);
  const { database } = observer.context;
  beforeEach(() => database.truncate());
  afterAll(() => database.close());
  return observer;
}
