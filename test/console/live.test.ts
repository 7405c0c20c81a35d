import { beforeEach, describe, expect, it } from "vitest";
import { giveCapabilities } from "../../src/moderation/capabilities.ts";
import { deskOf, useConsole, type Visitor } from "../support/console.ts";

const setup = useConsole({ listens: true });
let member: Visitor;
let roleId: string;
const { at } = deskOf(setup);

beforeEach(async () => {
  const { guildId, context } = setup.scene.discord;
  roleId = context.world.guilds.get(guildId)?.roles[1]?.id ?? "";
  await setup.scene.bot.database.transaction((tx) =>
    giveCapabilities(tx, { guildId, channelId: "memes", roleId, capabilities: ["view"] }),
  );
  setup.scene.discord.setRoles(guildId, setup.scene.users.member, [roleId]);
  member = await setup.desk.signIn(setup.scene.users.member);
});

/** What one hears until the stream ends. */
async function listen(visitor: Visitor) {
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const stop = new AbortController();
  const response = await fetch(`${setup.desk.origin}${at("/live")}`, {
    headers: { cookie },
    signal: stop.signal,
  });
  const heard = { status: response.status, text: "", ended: false };
  const hear = async () => {
    for await (const bytes of response.body ?? []) heard.text += Buffer.from(bytes).toString();
    heard.ended = true;
  };
  hear().catch(() => {});
  return { heard, stop: () => stop.abort() };
}

describe("the stream of news", { timeout: 60_000 }, () => {
  it("ends at the first news for who lost their role, and opens no more", async () => {
    const { heard, stop } = await listen(member);
    await setup.scene.hold();
    await expect.poll(() => heard.text).toContain("event: changed");
    expect(heard.ended).toBe(false);
    setup.scene.discord.setRoles(setup.scene.discord.guildId, setup.scene.users.member, []);
    heard.text = "";
    await setup.scene.bot.database.query
      .updateTable("castellan.review_items")
      .set({ escalated_at_ms: setup.scene.bot.clock.now() })
      .execute();
    await expect.poll(() => heard.ended).toBe(true);
    expect(heard.text).toBe("event: refused\ndata: {}\n\n");
    expect((await listen(member)).heard.status).toBe(403);
    stop();
  });

  it("is open to one person twenty times at once, and again when one was closed", async () => {
    const opened = await Promise.all(Array.from({ length: 20 }, () => listen(member)));
    expect(new Set(opened.map(({ heard }) => heard.status))).toEqual(new Set([200]));
    expect((await listen(member)).heard.status).toBe(429);
    opened[0]?.stop();
    await expect
      .poll(async () => {
        const again = await listen(member);
        again.stop();
        return again.heard.status;
      })
      .toBe(200);
    for (const { stop } of opened) stop();
  });
});
