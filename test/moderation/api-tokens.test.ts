import { expect, test } from "vitest";
import { createToken } from "../../src/moderation/api-tokens.ts";
import { useEmptyWorld } from "../support/test-cases.ts";

const bot = await useEmptyWorld();

test("of several people who create a token of one name at once, one gets it, and the others learn why not", async () => {
  const token = { guildId: "g1", name: "ci-bot", capabilities: ["view" as const], createdBy: "5" };
  const expiresAtMs = bot.clock.now() + 60_000;
  const create = () => bot.database.transaction((tx) => createToken(tx, bot, { ...token, expiresAtMs }));
  const results = await Promise.allSettled([create(), create(), create()]);
  const refusals = results.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
  const taken = { code: "invalid_input", message: "There is an API token ci-bot already. Revoke it first." };
  expect(refusals).toEqual([expect.objectContaining(taken), expect.objectContaining(taken)]);
});
