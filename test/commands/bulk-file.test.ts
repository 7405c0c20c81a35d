import { once } from "node:events";
import { createServer } from "node:http";
import { afterAll, expect, test } from "vitest";
import { commands } from "../../commands/index.ts";
import { findHandler } from "../../src/discord/find-handler.ts";
import { runForm } from "../../src/discord/forms.ts";
import { readArguments, runButton, runHandler } from "../../src/discord/run-command.ts";
import type { View } from "../../src/discord/view.ts";
import { boundTo, originOf } from "../../src/listening.ts";
import { unclearLine } from "../../src/moderation/bulks/file-lines.ts";
import { decodeCustomId } from "../../src/text/custom-id.ts";
import { addCasts } from "../support/casts.ts";
import { preview, textOf } from "../support/confirmed.ts";
import { commandContext, createWorld, people, seedChannel, verifyDiscord } from "../support/world.ts";

let content = "";

const bot = await createWorld();
const server = createServer((_, response) => response.setHeader("connection", "close").end(content));
server.listen(0, "127.0.0.1");
await once(server, "listening");
await seedChannel(bot, "memes", "g1");
await verifyDiscord(bot, people.moderator, "1002");
await bot.database.query
  .insertInto("castellan.names")
  .values([
    { name: "dana", fid: 40, owner: "0x", since: 1 },
    { name: "41", fid: 50, owner: "0x", since: 1 },
    { name: "spam", fid: 51, owner: "0x", since: 1 },
  ])
  .execute();
afterAll(async () => {
  server.close();
  await bot.database.close();
});

function attach(text: string) {
  content = text;
  return { file: { name: "list.txt", size: Buffer.byteLength(text), url: originOf(boundTo(server)) } };
}

function asModerator() {
  return commandContext(bot, {
    userId: "1002",
    guildId: "g1",
    roomId: "1",
    roleIds: [],
    managesServer: false,
  });
}

function banAllOf(text: string) {
  return preview(asModerator(), "ban", attach(text));
}

test("a number with separators, and a line that names several, are refused with what to write", async () => {
  const unclear = [
    "12,345",
    "12;345",
    "13.000",
    "1 234",
    "1'234",
    "1’234",
    "1_000",
    "１２",
    "1,234,567",
    "1\u00a0234",
  ];
  const several = [
    "28,29,30",
    "28,@trudy",
    "28,https://castle.test/trudy",
    "28,spam",
    "@dana,41",
    "12,345 spammer",
  ];
  const clear = ["30", "@dana,40", "31,a reason", "32,rude", "33,,", "https://castle.test/41"];
  const { text, view } = await banAllOf([...unclear, ...several, ...clear].join("\n"));
  expect(text).toContain("Ban 6 users from /memes?");
  const answers =
    view.files?.[0]?.text
      .split("\n")
      .slice(1)
      .map((line) => line.split("\t")) ?? [];
  const at = (place: number) => answers.slice(place, place + unclear.length).map((fields) => fields.at(-1));
  expect(new Set(at(0))).toEqual(new Set([unclearLine]));
  for (const fields of answers.slice(unclear.length, unclear.length + several.length)) {
    expect(fields[1]).toBe("no");
    expect(fields.at(-1)).toMatch(/may also name a user: write one user per line/);
  }
  expect(answers.slice(-7, -1).map((fields) => [fields[1], fields.at(-1)])).toEqual([
    ["yes", "fid 30"],
    ["yes", "@dana (fid 40)"],
    ["yes", "fid 31"],
    ["yes", "fid 32"],
    ["yes", "fid 33"],
    ["yes", "@41 (fid 50)"],
  ]);
});

test("a heading says which column names users, and another user in a second one is refused", async () => {
  const file = "fid,name,reason\n40,dana,spam\n41,zoe,41 casts\n42,dana,spam\n";
  const { text, view } = await banAllOf(file);
  expect(text).toContain("Ban 2 users from /memes?");
  expect(text).toContain("Line 1 is its heading");
  expect(view.files?.[0]?.text).toContain("4\tno\t42\t`dana` in the column name is another user than fid 42");
  const names = await banAllOf("username\n41\n");
  expect(names.view.files?.[0]?.text).toContain("2\tyes\t41\t@41 (fid 50)");
});

test("asks for the length, and takes a reason before it is permanent", async () => {
  const context = asModerator();
  const handler = findHandler(commands, "ban");
  if (!handler) throw new Error("no /ban");
  const raw = attach("3\n8");
  const press = (view: View, label: string) => {
    const button = view.buttons?.flat().find((one) => one.label === label);
    return decodeCustomId(button?.customId ?? "");
  };
  for (const typed of [{}, { duration: "permanent" }]) {
    const asked = await runHandler(context, "ban", handler, { ...raw, ...typed });
    expect(textOf(asked)).toContain("Ban 2 users from /memes?");
    expect(textOf(asked)).toContain("For how long?");
    expect(asked.buttons?.flat().map(({ label }) => label)).toEqual([
      "1 day",
      "7 days",
      "30 days",
      "Permanent",
      "Add a reason",
      "Cancel",
    ]);
    const ready = await runForm(context, commands, press(asked, "Permanent"), { reason: "raid" });
    expect(textOf(ready)).toContain("Reason: raid\nPermanently.");
    expect(ready.buttons?.flat().map(({ label }) => label)).toEqual([
      "Ban all of them",
      "Change the reason",
      "Cancel",
    ]);
    if ("duration" in typed) await runButton(context, commands, press(ready, "Ban all of them"));
  }
  const rows = await bot.database.query
    .selectFrom("castellan.cases")
    .select(["public_reason", "due_at_ms"])
    .execute();
  const banned = { public_reason: "raid", due_at_ms: null };
  expect(rows).toEqual([banned, banned]);
});

test("asks again for the same casts when a reason is added", async () => {
  await addCasts(bot, 1, { fid: people.troll, text: "airdrop" });
  const context = asModerator();
  const handler = findHandler(commands, "ban");
  if (handler?.kind !== "confirm") throw new Error("no /ban");
  const raw = { text: "airdrop", since: "2020-01-01 10:30", reason: "raid" };
  const { question } = await handler.preview(context, await readArguments(context, handler.options, raw));
  const [form] = question?.changes ?? [];
  expect(form).toMatchObject({
    form: { state: { text: "airdrop", since: "2020-01-01 10:30:00 UTC", channel: "memes" } },
  });
});
