import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { feedKinds } from "../../src/feed/feed-kinds.ts";
import { capabilities } from "../../src/moderation/capabilities.ts";
import {
  parseConfigFile,
  writeConfigFile,
  type ChannelConfig,
  type ServerConfig,
} from "../../src/server-config/config-file.ts";
import { applyConfig } from "../support/apply-config.ts";
import { readConfig } from "../../src/server-config/read-config.ts";
import { findUnstorable } from "../../src/text/storable.ts";
import { rule, ruleFile } from "../support/rules.ts";
import { createWorld, linkGuild } from "../support/world.ts";

const bot = await createWorld();
const guildId = "900000000000000001";
afterAll(() => bot.database.close());

const id = fc.bigInt({ min: 10n ** 16n, max: 10n ** 19n }).map(String);
const storable = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 60 })
  .filter((text) => findUnstorable(text) < 0);
const line = storable.map((text) => text.replace(/[{}]/g, "").trim()).filter((text) => text !== "");
const prose = fc
  .array(fc.oneof(line, fc.constantFrom("\n", "\r\n", "\n\n  ", "\t", " # ", ": ", "- ", "'", '"', "&a *b")))
  .map((parts) => parts.join("").trim())
  .filter((text) => text !== "" && text.length <= 1000);
const kinds = fc.subarray([...feedKinds], { minLength: 1 });
const channel = (channelId: string): fc.Arbitrary<ChannelConfig> =>
  fc
    .record({
      channelId: fc.constant(channelId),
      roles: fc.uniqueArray(
        fc.record({
          roleId: fc.oneof(id, fc.constant("everyone")),
          capabilities: fc.subarray([...capabilities], { minLength: 1 }),
        }),
        { maxLength: 4, selector: ({ roleId }) => roleId },
      ),
      message: fc.option(prose, { nil: undefined }),
      messageLanguage: fc.constantFrom(undefined, "de" as const, "pt-BR" as const),
      ignoredReporters: fc.uniqueArray(id, { maxLength: 3 }),
    })
    .map((one) => (one.message === undefined ? { ...one, messageLanguage: undefined } : one));
const feed = fc.record({
  kinds,
  channelIds: fc.option(fc.subarray(["art", "memes"], { minLength: 1 })),
  namePattern: fc.option(
    storable.map((text) => text.slice(0, 40)).filter((text) => findUnstorable(text) < 0),
  ),
  peopleOnly: fc.boolean(),
});
const minute = fc.nat(1439);
const room = fc.record({
  roomId: id,
  settings: fc.record({
    mention: fc.option(fc.record({ role: id, kinds })),
    digestSeconds: fc.option(fc.integer({ min: 300, max: 86_400 })),
    quiet: fc.option(
      fc
        .record({ from: minute, until: minute, zone: fc.constantFrom("UTC", "Europe/Berlin", "Asia/Tokyo") })
        .filter(({ from, until }) => from !== until),
    ),
    language: fc.constantFrom("en-US" as const, "ja" as const),
    forReaders: fc.boolean(),
  }),
  feeds: fc.uniqueArray(feed, { minLength: 1, maxLength: 3, selector: (one) => JSON.stringify(one) }),
});
const configuration: fc.Arbitrary<ServerConfig> = fc.record({
  timeZone: fc.constantFrom("UTC", "America/Sao_Paulo", "Asia/Kolkata"),
  channels: fc.tuple(channel("art"), channel("memes")),
  savedReasons: fc.uniqueArray(
    fc.record({
      reason: line
        .map((text) => text.slice(0, 60).trim())
        .filter((text) => text !== "" && findUnstorable(text) < 0),
      forSeconds: fc.option(fc.integer({ min: 60, max: 3650 * 86_400 })),
    }),
    { maxLength: 5, selector: ({ reason }) => reason },
  ),
  rooms: fc.uniqueArray(room, { maxLength: 3, selector: ({ roomId }) => roomId }),
  rules: fc.option(
    prose
      .map((comment) => `${comment.replace(/^/gm, "# ")}\n${ruleFile([rule()])}`)
      .filter((text) => !/\r(?!\n)/.test(text)),
    { nil: undefined },
  ),
});

it("reads what it writes, whatever the configuration", () => {
  fc.assert(
    fc.property(configuration, (generated) => {
      const text = writeConfigFile(generated);
      expect(writeConfigFile(parseConfigFile(text).config)).toBe(text);
    }),
    { numRuns: 50 },
  );
});

it("gives the same file after an import into an empty server, whatever the configuration", async () => {
  await fc.assert(
    fc.asyncProperty(configuration, async (generated) => {
      const text = writeConfigFile(generated);
      await bot.database.truncate();
      bot.ruleThreads.inForce.clear();
      for (const channelId of ["art", "memes"]) await linkGuild(bot, channelId, guildId);
      await applyConfig(bot, { guildId, source: text });
      expect(writeConfigFile(await readConfig(bot, guildId))).toBe(text);
      expect(await applyConfig(bot, { guildId, source: text })).toEqual([]);
    }),
    { numRuns: 8 },
  );
});
