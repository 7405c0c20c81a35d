import { afterEach, describe, expect, it, vi } from "vitest";
import { sandboxRooms } from "../../src/sandbox/sample/sample-server.ts";
import { shapeOf, startCollector, type CollectedSpan } from "../support/collector.ts";
import { createPageClient, textOf } from "../support/page-client.ts";
import { makeFilledDirectory, runProgram } from "../support/program.ts";

const polling = { timeout: 60_000, interval: 500 };
const ada = "700000000000000001";
const room = sandboxRooms.gardenFeed;
const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
});

async function start() {
  const collector = await startCollector();
  opened.push(() => collector.close());
  const home = await makeFilledDirectory();
  opened.push(home.remove);
  const program = runProgram(["start"], {
    DATA_DIR: home.directory,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    // Sends at once, so that a hanging collector is noticed.
    OTEL_BSP_SCHEDULE_DELAY: "100",
  });
  opened.push(() => program.end());
  const { sandbox } = await program.ready;
  return { collector, program, page: createPageClient(sandbox, ada) };
}

/** Bans somebody, and waits until the feed's room shows it. */
async function ban(page: ReturnType<typeof createPageClient>): Promise<void> {
  await page.act(1, { do: "invite", channelId: "garden", fid: 9001, role: "moderator" });
  await page.run("setup link", { channel: "garden" }, room);
  await page.run("feed add", { channel: "garden" }, room);
  const options = { user: "@brook", channel: "garden", duration: "permanent", reason: "a private note" };
  const preview = await page.run("ban", options, room);
  expect(textOf(await page.click(preview, room))).toContain("C-1 · Ban · done");
  await vi.waitFor(async () => {
    const posts = (await page.messages(room)).filter(({ interaction_metadata: by }) => !by);
    expect(posts.map(textOf).join("\n")).toContain("C-1");
  }, polling);
}

describe("the traces of castellan start", { timeout: 240_000 }, () => {
  it("lead from a moderator's button to the network and to the post", async () => {
    const { collector, program, page } = await start();
    await ban(page);
    expect(await program.end()).toBe(0);
    const spans = collector.spans();
    const traceOf = ({ traceId }: CollectedSpan) => spans.filter((span) => span.traceId === traceId);
    const banned = spans.find(({ name }) => name === "network POST /fc/channel-bans");
    const shape = banned ? shapeOf(traceOf(banned)) : [];
    expect(shape).toContain("interaction button");
    expect(shape).toContain("interaction button > network POST /fc/channel-bans");
    expect(shape).toContain("interaction button > process deliver-feed");
    expect(shape).toContain("process deliver-feed > Discord POST /channels/:id/messages");
    // No texts, and no ids of servers, rooms or people.
    expect(JSON.stringify(collector.requests)).not.toMatch(/private|brook|"7\d{17}"/);
  });

  it("do not delay anything if the collector hangs", async () => {
    const { collector, program, page } = await start();
    collector.answer("hang");
    await ban(page);
    expect(collector.requests).not.toEqual([]);
    expect(await program.end()).toBe(0);
  });
});
