import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { sandboxRooms } from "../../src/sandbox/sample/sample-server.ts";
import { readMetrics, valuesOf } from "../support/metrics.ts";
import { createPageClient, textOf } from "../support/page-client.ts";
import { makeFilledDirectory, runProgram, type DataDirectory, type Program } from "../support/program.ts";

const polling = { timeout: 60_000, interval: 500 };
const ada = "700000000000000001";
const room = sandboxRooms.gardenFeed;

describe("the metrics of castellan start", { timeout: 120_000 }, () => {
  let home: DataDirectory;
  let program: Program;
  let sandbox: string;
  let metrics: string;
  const scrape = async () => (await fetch(metrics)).text();

  beforeAll(async () => {
    home = await makeFilledDirectory();
    program = runProgram(["start"], { DATA_DIR: home.directory, METRICS_PORT: "0", LOG_LEVEL: "info" });
    ({ sandbox, metrics } = await program.ready);
  });
  afterAll(async () => {
    await program.end();
    await home.remove();
  });

  it("say that all is well", async () => {
    const well = async () => {
      const text = await scrape();
      expect(new Set(Object.values(valuesOf(text, "castellan_check_ok")))).toEqual(new Set([1]));
      expect(new Set(Object.values(valuesOf(text, "castellan_collector_ok")))).toEqual(new Set([1]));
      expect(readMetrics(text).get("castellan_database_up")).toBe(1);
      expect(valuesOf(text, "castellan_hub_lag_seconds")).toEqual({ '{shard="1"}': 0 });
    };
    await vi.waitFor(well, polling);
  });

  it("move with a ban, and with what follows from it", async () => {
    const page = createPageClient(sandbox, ada);
    await page.act(1, { do: "invite", channelId: "garden", fid: 9001, role: "moderator" });
    await page.run("setup link", { channel: "garden" }, room);
    await page.run("feed add", { channel: "garden" }, room);
    const options = { user: "@brook", channel: "garden", duration: "permanent", reason: "spam" };
    const preview = await page.run("ban", options, room);
    expect(textOf(await page.click(preview, room))).toContain("C-1 · Ban · done");
    const moved = async () => {
      const text = await scrape();
      const found = readMetrics(text);
      const settled = 'castellan_cases_settled_total{kind="ban",state="applied",outcome="done"}';
      expect(found.get(settled)).toBe(1);
      expect(found.get('castellan_command_acknowledgement_seconds_count{command="ban"}')).toBe(1);
      expect(found.get('castellan_command_duration_seconds_count{command="ban",result="ok"}')).toBe(1);
      expect(found.get('castellan_command_duration_seconds_count{command="button",result="ok"}')).toBe(1);
      expect(found.get('castellan_feed_posts_total{result="sent"}')).toBeGreaterThan(0);
      expect(
        found.get(
          'castellan_discord_request_duration_seconds_count{route="POST /channels/:id/messages",code="200"}',
        ),
      ).toBeGreaterThan(0);
      expect(
        found.get('castellan_job_duration_seconds_count{worker="deliver-feed",result="done"}'),
      ).toBeGreaterThan(0);
      expect(valuesOf(text, "castellan_http_request_duration_seconds_count")).not.toEqual({});
      // Of ids, which are many, none is a label.
      expect([...found.keys()].filter((series) => /\d{15}/.test(series))).toEqual([]);
    };
    await vi.waitFor(moved, polling);
  });

  it("are refused a port that is in use, by its setting", async () => {
    const { port } = new URL(metrics);
    const second = runProgram(["start"], { DATA_DIR: home.directory, METRICS_PORT: port });
    expect(await second.exit).toBe(1);
    expect(second.output()).toMatch(/set METRICS_PORT to another port/);
  });

  it("are served by a role that serves no bot, too", async () => {
    const other = await makeFilledDirectory();
    const api = runProgram(["api"], { DATA_DIR: other.directory, METRICS_PORT: "0" });
    const ready = await api.ready;
    await fetch(`${ready.network}/signer`);
    await fetch(`${ready.network}/signer/of/nobody`);
    const text = await (await fetch(ready.metrics)).text();
    expect(Object.keys(valuesOf(text, "castellan_build_info"))[0]).toContain('role="api"');
    expect(readMetrics(text).get("castellan_database_up")).toBe(1);
    expect(valuesOf(text, "castellan_http_request_duration_seconds_count")).toEqual({
      '{server="network",method="GET",route="/signer",code="200"}': 1,
      '{server="network",method="any",route="none",code="404"}': 1,
    });
    await api.end();
    await other.remove();
  });

  it("come with a log whose lines name role and version", () => {
    const lines = program.output().split("\n");
    const [first = "{}"] = lines.filter((line) => line.startsWith("{"));
    expect(JSON.parse(first)).toMatchObject({ role: "start", version: expect.stringMatching(/^\d/) });
  });
});
