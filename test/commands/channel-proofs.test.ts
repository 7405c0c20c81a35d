import { beforeEach, describe, expect, test } from "vitest";
import { createRooms } from "../../src/discord/rooms.ts";
import { judgeCodeCasts } from "../../src/moderation/proofs/judge-code-casts.ts";
import { pollHub } from "../../src/observe/hub/poll-hub.ts";
import { see, type Seen } from "../support/bot-in-discord.ts";
import { testToken } from "../support/discord.ts";
import { sendNow } from "../support/outbox.ts";
import { custodyOf } from "../support/signing.ts";
import { useBotInDiscord } from "../support/scenes.ts";

const scene = await useBotInDiscord();
beforeEach(async () => {
  // Nobody's account is verified: they have to prove who they are.
  await scene.bot.database.query.deleteFrom("network.verifications").execute();
  await scene.bot.net.seed.channel("art", { owner: 1, moderators: [2] });
});

/** The texts to copy: what to cast, and what to sign. */
function textsOf({ text }: Seen): [cast: string, signed: string] {
  const [, cast = "", , signed = ""] = text.split("```");
  return [cast.trim(), signed.trim()];
}

async function tellRooms(): Promise<void> {
  const settings = { token: testToken, api: scene.discord.api, onRefused: () => {} };
  await pollHub(scene.bot);
  await judgeCodeCasts(scene.bot);
  await sendNow(scene.bot, createRooms(settings));
}

const linked = () => scene.bot.database.query.selectFrom("castellan.links").select("channel_id").execute();
const link = (user: string) => scene.run(user, "setup link", { channel: "art" });

describe("/setup link of a channel that nobody verifiably owns", () => {
  test("shows what to cast; the room hears that it was, with a button that links for who proved it alone", async () => {
    const offered = await link("owner");
    expect(offered.text).toContain("Prove that you own or moderate /art");
    expect(await linked()).toHaveLength(1);
    const [text] = textsOf(offered);
    expect(text).toMatch(
      new RegExp(`^Castellan may link /art to Discord server ${scene.discord.guildId}: castellan-`),
    );
    await scene.bot.net.api.operator.cast({ fid: 1, text, mentions: [], embeds: [] });
    const message = scene.nextMessage("Proven:");
    await tellRooms();
    const told = see(await message);
    expect(told.text).toContain(`<@${scene.users.owner}> is fid 1`);
    // Another's click changes nothing of the message, and hears why.
    const refusal = scene.nextMessage("Manage Server");
    scene.clickOnly("member", told, "Link /art");
    await refusal;
    expect(await linked()).toHaveLength(1);
    expect((await scene.click("owner", told, "Link /art")).text).toContain("/art is linked to this server");
    expect(await linked()).toHaveLength(2);
    const info = await scene.run("owner", "status", { channel: "art" });
    expect(info.text).toContain(`Proven: <@${scene.users.owner}> is fid 1, by the cast 0x`);
  });

  test("shows the same texts again while nobody cast them, and others to others", async () => {
    const [first, second] = [await link("owner"), await link("owner")];
    expect(textsOf(second)).toEqual(textsOf(first));
    expect((await link("moderator")).text).toContain("Manage Server");
  });

  test("takes a signature of the custody wallet in a form, and links after a click", async () => {
    await scene.bot.database.query
      .updateTable("network.accounts")
      .set({ custody_address: custodyOf(1).address })
      .where("fid", "=", 1)
      .execute();
    const offered = await link("owner");
    const signature = await custodyOf(1).signMessage({ message: textsOf(offered)[1] });
    const open = () =>
      scene.discord.people.click({
        user: "owner",
        room: offered.message.roomId,
        message: offered.message.id,
        customId: offered.buttons["Paste the signature"] ?? "",
      });
    const wrong = await scene.submit("owner", open(), { signature: "0x12" });
    expect(wrong.text).toContain("That is not a signature");
    const proven = await scene.submit("owner", open(), { signature });
    expect(proven.text).toContain("you are fid 1, who owns or moderates /art");
    expect(await linked()).toHaveLength(1);
    expect((await scene.click("owner", proven, "Link it")).text).toContain("/art is linked");
    expect(await linked()).toHaveLength(2);
    const preview = await scene.run("owner", "setup unlink", { channel: "art" });
    expect(preview.text).toContain("people's proofs for it");
    await scene.click("owner", preview, "End the link");
    expect((await link("owner")).text).toContain("Prove that you own");
  });

  test("takes no signature before there is a text to sign", async () => {
    const { text } = await scene.run("owner", "setup link", { channel: "art", signature: "0x12" });
    expect(text).toContain("no text to sign");
  });
});
