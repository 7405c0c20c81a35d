import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createLog } from "../../src/log.ts";
import type { Reports } from "../../src/telemetry.ts";
import { nameRoute } from "../../src/discord/report-calls.ts";
import { useBotInDiscord } from "../support/scenes.ts";

const scene = await useBotInDiscord();

const reported: [name: string, report: unknown][] = [];
const note = (report: unknown, name: string | symbol) => void reported.push([String(name), report]);
const channels = ["castellan:interaction.acknowledged", "castellan:interaction.answered"] as const;
beforeEach(() => {
  reported.length = 0;
  for (const name of channels) subscribe(name, note);
});
afterEach(() => {
  for (const name of channels) unsubscribe(name, note);
});

const seconds = expect.any(Number);
const acknowledged = (command: string) => [channels[0], { command, seconds }];
const answered = (command: string, result: Reports["castellan:interaction.answered"]["result"]) => [
  channels[1],
  { command, result, seconds },
];

it("reports commands by their names, and what came of them", async () => {
  const preview = await scene.run("owner", "ban", { user: "3", duration: "permanent", reason: "spam" });
  await scene.click("owner", preview, "Ban");
  await scene.run("stranger", "who");
  await expect.poll(() => reported.length).toBe(6);
  expect(reported).toEqual([
    acknowledged("ban"),
    answered("ban", "ok"),
    acknowledged("button"),
    answered("button", "ok"),
    acknowledged("who"),
    answered("who", "refused"),
  ]);
});

it("gives a person the id by which the lines of their interaction are found", async () => {
  const lines: { interaction?: string; msg: string }[] = [];
  await scene.restart({ log: createLog("info", {}, { write: (line) => void lines.push(JSON.parse(line)) }) });
  await scene.bot.database.pool.query(
    "alter table castellan.feeds add constraint no check (false) not valid",
  );
  const seen = await scene.run("owner", "feed add", { channel: "memes" });
  await scene.bot.database.pool.query("alter table castellan.feeds drop constraint no");
  const [, id] = /^Something went wrong \(([0-9a-f]{8})\)/.exec(seen.text) ?? [];
  expect(lines.find(({ msg }) => msg === "a command failed")?.interaction).toBe(id);
  await expect.poll(() => reported.at(-1)).toEqual(answered("feed add", "failed"));
});

it.each([
  [
    "PATCH",
    "https://discord.com/api/v10/webhooks/123456789012345678/aW50ZXJh_Y3Rpb24.abc-D/messages/@original?wait=true",
    "PATCH /webhooks/:id/:id/messages/@original",
  ],
  ["POST", "http://127.0.0.1:1/api/v10/channels/123456789012345678/messages", "POST /channels/:id/messages"],
])("names a route of Discord's without ids and tokens: %s %s", (method, url, name) => {
  expect(nameRoute(method, url)).toBe(name);
});
