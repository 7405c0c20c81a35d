import { afterAll, expect, it } from "vitest";
import { asAppError } from "../../src/errors.ts";
import { giveCapabilities, listCapabilities } from "../../src/moderation/capabilities.ts";
import { unlinkChannel } from "../../src/moderation/link-channel.ts";
import { importConfig } from "../../src/server-config/import-config.ts";
import { applyConfig, usableDiscord } from "../support/apply-config.ts";
import { rule, ruleFile } from "../support/rules.ts";
import { createWorld, linkGuild, type World } from "../support/world.ts";

const bot = { ...(await createWorld()), discord: usableDiscord };
const guildId = "900";
afterAll(() => bot.database.close());

it("gives no rights in a channel that is unlinked after the comparison", async () => {
  for (const channelId of ["art", "memes"]) await linkGuild(bot, channelId, guildId);
  const transaction: World["database"]["transaction"] = async (work) => {
    await unlinkChannel(bot, { guildId, userId: "100" }, "memes");
    return bot.database.transaction(work);
  };
  const source = 'version: 1\nchannels: [{ channel: memes, roles: [{ role: "11", may: [ban] }] }]\n';
  const importing = applyConfig({ ...bot, database: { ...bot.database, transaction } }, { guildId, source });
  await expect(importing).rejects.toMatchObject({ code: "expired" });
  expect(await listCapabilities(bot, guildId, "memes")).toEqual([]);
});

const channels = (...roles: object[]) =>
  JSON.stringify({ version: 1, channels: [{ channel: "art", roles }] });

it("changes nothing if something was changed since it was shown", async () => {
  const source = channels({ role: "11", may: ["ban"] });
  const { digest } = await importConfig(bot, { guildId, source });
  const grant = { guildId, channelId: "art", roleId: "12", capabilities: ["hide" as const] };
  await bot.database.transaction((tx) => giveCapabilities(tx, grant));
  const applying = importConfig(bot, { guildId, source, apply: digest });
  await expect(applying).rejects.toMatchObject({ code: "expired" });
  expect((await listCapabilities(bot, guildId, "art")).map(({ roleId }) => roleId)).toEqual(["12"]);
});

it("shows whole what it changes: texts and patterns", async () => {
  const feed = (names: string) => ({ kinds: ["names"], names });
  const file = (message: string, names: string) =>
    JSON.stringify({
      version: 1,
      channels: [{ channel: "art", message }],
      rooms: [{ room: "77", feeds: [feed(names)] }],
    });
  await applyConfig(bot, { guildId, source: file("You were banned.", "*scam*") });
  const { changes } = await importConfig(bot, { guildId, source: file("You are banned.", "*spam*") });
  expect(changes.join("\n")).toMatch(/"You are banned\."[^]*pattern "\*spam\*"[^]*pattern "\*scam\*"/);
});

it("refuses channels of feeds that are not linked, the server's own role by its id, a language of no message, and rules that cannot work", async () => {
  const refused = async (file: object) => {
    const source = JSON.stringify({ version: 1, ...file });
    const error = await importConfig(bot, { guildId, source }).then(
      () => undefined,
      (cause: unknown) => asAppError(cause),
    );
    return [error?.code, error?.mistakes.map(({ message }) => message).join()];
  };
  const rooms = [{ room: "78", feeds: [{ kinds: ["bans"], channels: ["artt"] }] }];
  expect(await refused({ rooms })).toEqual(["invalid_file", expect.stringContaining("is not linked")]);
  const own = [{ channel: "art", roles: [{ role: guildId, may: ["view"] }] }];
  expect(await refused({ channels: own })).toEqual([
    "invalid_file",
    expect.stringContaining("write everyone"),
  ]);
  const nothingWritten = [{ channel: "art", message_language: "de" }];
  expect(await refused({ channels: nothingWritten })).toEqual([
    "invalid_file",
    expect.stringContaining("needs a message, written in that language"),
  ]);
  const impossible = {
    ...rule(),
    when: { all: [{ "text.length": { gte: 9 } }, { "text.length": { lte: 3 } }] },
  };
  expect(await refused({ rules: ruleFile([impossible]) })).toEqual(["invalid_file", expect.any(String)]);
});
