import { beforeEach, describe, expect, test } from "vitest";
import { readBulksFor } from "../../src/console/read-bulks.ts";
import { readOperations } from "../../src/console/api/read-operations.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { AppError } from "../../src/errors.ts";
import type { Capability } from "../../src/moderation/capabilities.ts";
import { addCasts } from "../support/casts.ts";
import { preview, textOf } from "../support/confirmed.ts";
import { banEverywhere, run, useThreeChannels } from "../support/three-channels.ts";
import { people, seedChannel, troubleNetwork } from "../support/world.ts";

const unreachable = () => new AppError("network_unreachable", "The network did not answer.");

const { bot, createModerator, withRole, bannedFrom } = await useThreeChannels();
const listBulks = (person: CommandContext) => run(person, "case show", { bulks: true });

let moderator: CommandContext;

beforeEach(() => {
  moderator = createModerator();
});

describe("a bulk in several channels", () => {
  beforeEach(() => banEverywhere(moderator));

  test("shows everybody only the channels that they may view", async () => {
    const viewer = await withRole({ art: ["view"] });
    expect(textOf(await listBulks(viewer))).toContain("**B-1** Ban in /art ·");
    const shown = await run(viewer, "case show", { number: "B-1" });
    expect(textOf(shown)).toContain("B-1 · Ban · art · done");
    expect(shown.files?.[0]?.text).toMatch(/^\/art C-1 Ban [^\n]*\n$/);
    const [row] = (await readBulksFor(viewer, {})).bulks;
    expect(textOf(row?.view ?? {})).toContain("B-1 · Ban · art · done");
    const list = readOperations.find(({ id }) => id === "listBulks");
    const record = { channel: "art", channels: ["art"], number: "B-1" };
    expect(await list?.run(viewer, { limit: 5 })).toMatchObject({ bulks: [record] });
    const all = { channel: "art", channels: ["art", "games", "memes"] };
    expect(await list?.run(moderator, { limit: 5 })).toMatchObject({ bulks: [all] });
  });

  test("is nothing for people who may view none of them, and names none", async () => {
    await seedChannel(bot, "music", "g1");
    const stranger = await withRole({ music: ["view", "ban", "undo"] });
    expect(textOf(await listBulks(stranger))).toContain("No bulks yet.");
    expect((await readBulksFor(stranger, {})).bulks).toEqual([]);
    for (const attempt of [
      () => run(stranger, "case show", { number: "B-1" }),
      () => preview(stranger, "undo", { what: "B-1" }),
    ]) {
      const refused = await attempt().then(String, (error: Error) => error.message);
      expect(refused).toMatch(/^B-1 acts in several channels, and you lack "(view|undo|ban)" in all of them/);
    }
  });

  test("is undone only where that is allowed", async () => {
    const role = await withRole({ art: ["ban", "undo"], games: ["view", "ban"], memes: ["ban"] });
    const { text, act } = await preview(role, "undo", { what: "B-1" });
    expect(text).toContain("1 ban is lifted");
    expect(text).toContain("✖ /games: You may not undo other people's actions in /games.");
    expect(text).toContain("✖ 1 channel that you may not view");
    expect(text).not.toContain("memes");
    expect(await act()).toContain("B-2 · Undo · art · done");
    expect(await bannedFrom()).toEqual(["memes", "games"]);
    await (await preview(moderator, "undo", { what: "B-1" })).act();
    expect(await bannedFrom()).toEqual([]);
  });

  test("is undone only in the channels of the preview, as far as that is still allowed", async () => {
    const rights: Capability[] = ["view", "ban", "undo"];
    const role = await withRole({ art: rights, games: rights, memes: ["view"] });
    const { text, label, act } = await preview(role, "undo", { what: "B-1" });
    expect(text).toContain("2 bans are lifted");
    expect(label).toBe("Undo");
    await bot.database.query
      .deleteFrom("castellan.capabilities")
      .where("channel_id", "=", "games")
      .where("capability", "=", "ban")
      .execute();
    await withRole({ memes: ["ban", "undo"] });
    const done = await act();
    expect(done).toContain("B-2 · Undo · art · done");
    expect(done).toContain("**Left out:**\n✖ /games: You may not ban people from /games.");
    expect(done).not.toContain("memes");
    expect(await bannedFrom()).toEqual(["memes", "games"]);
    const all = await preview(moderator, "undo", { what: "B-1" });
    expect(all.label).toBe("Undo all of it");
  });

  test("names the channels that are gone or suspended, or that cannot be read", async () => {
    const role = await withRole({ art: ["ban", "undo"], games: ["undo"] });
    const links = bot.database.query.updateTable("castellan.links");
    await links
      .set({ suspended_at_ms: 1, suspended_reason: "Nobody can be read." })
      .where("channel_id", "=", "memes")
      .execute();
    const away = { ...role, network: troubleNetwork(bot.network, "channels", "get", unreachable, "before") };
    await expect(preview(away, "undo", { what: "B-1" })).rejects.toThrow("The network did not answer.");
    const network = troubleNetwork(
      bot.network,
      "accountVerifications",
      "list",
      () => unreachable(),
      "before",
    );
    const unread = await preview({ ...role, network }, "undo", { what: "B-1" });
    expect(unread.text).toContain("✖ /games: The network did not answer.");
    expect(unread.text).toContain("✖ /memes: The link to memes is suspended");
    expect(unread.text).not.toContain("may not view");
    await bot.database.query.deleteFrom("castellan.links").where("channel_id", "=", "games").execute();
    const { text } = await preview(role, "undo", { what: "B-1" });
    expect(text).toContain("✖ /games: This server is not linked to games.");
  });

  test("is stopped only by somebody who may do that in all of them", async () => {
    const { query } = bot.database;
    await query.updateTable("castellan.bulks").set({ ended_at_ms: null }).execute();
    const stop = (person: CommandContext) => preview(person, "undo", { what: "B-1" });
    const some = await withRole({ memes: ["view", "undo"], art: ["undo"] });
    await expect(stop(some)).rejects.toThrow(
      'Stopping B-1 takes "undo" in all of its channels, and you lack it in 1 channel that you may not view.',
    );
    const viewing = await withRole({ games: ["view"] });
    await expect(stop(viewing)).rejects.toThrow("you lack it in /games.");
    await query
      .updateTable("castellan.links")
      .set({ suspended_at_ms: 1, suspended_reason: "Nobody can be read." })
      .where("channel_id", "=", "games")
      .execute();
    const stopped = (await stop(viewing)).text;
    expect(stopped).toContain("B-1 · Ban · 2 channels · stopped");
    expect(stopped).not.toContain("games");
  });

  test("has its people invited again in one of its channels", async () => {
    await (await preview(moderator, "undo", { what: "B-1" })).act();
    const { text } = await preview(moderator, "invite", { bulk: "B-2", channel: "games" });
    expect(text).toContain("Invite 1 user to /games?");
    await expect(preview(moderator, "invite", { bulk: "B-2" })).rejects.toThrow("Choose one");
  });
});

test("casts of a channel that Castellan does not moderate are left out of a selection of several", async () => {
  const [here = ""] = await addCasts(bot, 1, { fid: people.troll });
  const [there = ""] = await addCasts(bot, 1, { fid: people.troll, channelId: "art" });
  const remove = { channelId: "art", removeFid: bot.botFid, role: "moderator" as const };
  await bot.net.as(people.owner).channelInvites.remove(remove);
  const { text, act } = await preview(moderator, "hide", { casts: `${here} ${there}` });
  expect(text).toContain("Hide 1 cast in /memes?");
  expect(text).toContain("**Left out:**\n✖ /art: Castellan");
  expect(await act()).toContain("**1 cast hidden**");
  await expect(preview(moderator, "hide", { casts: there })).rejects.toThrow("does not moderate art");
});
