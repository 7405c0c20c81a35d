import { en } from "../../src/languages/en.ts";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { commands } from "../../commands/index.ts";
import type { RawValues } from "../../src/discord/command.ts";
import { findHandler } from "../../src/discord/find-handler.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { runButton, runHandler } from "../../src/discord/run-command.ts";
import type { View } from "../../src/discord/view.ts";
import type { Capability } from "../../src/moderation/capabilities.ts";
import { evaluatePending } from "../support/jobs.ts";
import { decodeCustomId } from "../../src/text/custom-id.ts";
import { createRuleEngine, guild } from "../support/rule-engine.ts";
import { author, rule, ruleFile } from "../support/rules.ts";
import { drawer } from "../support/world.ts";

const engine = await createRuleEngine();
const { network, context: engineContext } = engine;
const { database } = network.context;

let attached = "";
const files = createServer((_, response) => response.end(attached)).listen(0, "127.0.0.1");
// A listening TCP server has an address with a port.
const address = () => `http://127.0.0.1:${(files.address() as AddressInfo).port}/rules.yaml`;
afterAll(async () => {
  files.close();
  await database.close();
});

const unused = () => Promise.reject(new Error("no room is spoken to"));
const context: CommandContext = {
  ...engineContext,
  rooms: {
    post: unused,
    resetAfter: () => 0,
    openDirect: unused,
    edit: unused,
    recent: unused,
    find: unused,
  },
  actor: { userId: "50", guildId: guild, roomId: "r", roleIds: ["mods"], managesServer: false },
  roomAccess: () => undefined,
  silentMention: () => undefined,
  roomName: () => undefined,
  personName: async () => undefined,
  drawer,
  texts: en,
  isPrivate: true,
  showProgress: async () => {},
};

async function give(channelId: string, capability: Capability = "rules"): Promise<void> {
  await database.query
    .insertInto("castellan.capabilities")
    .values({ guild_id: guild, channel_id: channelId, role_id: "mods", capability })
    .execute();
}

beforeEach(async () => {
  await database.truncate();
  await network.seed.channel("memes", { owner: 1 });
  await engine.link("memes");
  await give("memes");
});

async function run(path: string, values: RawValues = {}, who = context): Promise<View> {
  const handler = findHandler(commands, path);
  if (!handler) throw new Error(`no handler for ${path}`);
  return runHandler(who, path, handler, values);
}

const textOf = (view: View) => JSON.stringify([view.content, view.embeds]);

async function click(view: View, label: string): Promise<View> {
  const button = view.buttons?.flat().find((button) => button.label === label);
  return runButton(context, commands, decodeCustomId(button?.customId ?? ""));
}

describe("/rule import", () => {
  it("says that YAML cannot be pasted, for Discord puts it on one line", async () => {
    const text = "version: 1 rules:   - id: scam     on: [cast.created]";
    await expect(run("rule import", { text })).rejects.toThrow("Attach the rules as a file, or paste JSON.");
    await expect(run("rule import", { text: '{"version": 2}' })).rejects.toThrow("The rules have");
  });

  it("counts the rules of every mode", async () => {
    const rules = ["enforce", "review", "shadow", "off"].map((mode) => rule({ id: mode, mode }));
    const preview = await run("rule import", { text: ruleFile(rules) });
    expect(textOf(await click(preview, "Put in force"))).toContain("1 enforce, 1 review, 1 shadow, 1 off.");
  });

  it("shows what would change, and changes it after the click", async () => {
    await engine.save(rule({ id: "gone" }), rule({ id: "changed" }), rule({ id: "same" }));
    attached = ruleFile([rule({ id: "changed", mode: "shadow" }), rule({ id: "same" }), rule({ id: "new" })]);
    const preview = await run("rule import", { file: { name: "rules.yaml", size: 500, url: address() } });
    const shown = textOf(preview);
    expect(shown).toContain(
      "New (1)**\\n🔴 enforce **new** · in every linked channel: when somebody casts, if the text contains",
    );
    expect(shown).toContain("Changed (1)**\\n**changed** 🔴 enforce → 🔵 shadow");
    expect(shown).toContain("Gone (1)**\\n🔴 enforce **gone**");
    expect(shown).toContain("1 unchanged");
    expect(shown).toContain("1 of the new and changed rules act automatically");
    expect(textOf(await run("rule show"))).toContain("version 1");
    expect(textOf(await click(preview, "Put in force"))).toContain(
      "Version 2 is in force: 2 enforce, 0 review, 1 shadow, 0 off.",
    );
    expect(textOf(await run("rule show"))).toContain("version 2");
  });

  it("takes rules as text and warns of channels that are not linked", async () => {
    const preview = await run("rule import", { text: ruleFile([rule({ channels: ["art-*"] })]) });
    expect(textOf(preview)).toContain("Rules that match no channel linked here: scam.");
    await click(preview, "Put in force");
    expect(textOf(await run("rule show"))).toContain("**scam**");
  });

  it("says that the same rules are in force already", async () => {
    await engine.save(rule());
    const view = await run("rule import", { text: ruleFile([rule()]) });
    expect(textOf(view)).toContain("already in force");
    expect(view.buttons).toBeUndefined();
  });

  it.each<[string, RawValues, object]>([
    ["neither file nor text", {}, { code: "invalid_input" }],
    [
      "a file that is too large",
      { file: { name: "x", size: 2e6, url: "http://127.0.0.1:1/" } },
      { code: "invalid_file" },
    ],
    [
      "a file that is gone",
      { file: { name: "x", size: 2, url: "http://127.0.0.1:1/" } },
      { code: "invalid_file" },
    ],
    [
      "a mistake",
      { text: "version: 1\nrulse: []" },
      {
        code: "invalid_file",
        mistakes: [
          { path: "line 1, column 1" },
          { path: "line 2, column 1", message: 'rulse: unknown key "rulse"; did you mean "rules"?' },
        ],
      },
    ],
  ])("refuses %s", async (_, values, error) => {
    await expect(run("rule import", values)).rejects.toMatchObject(error);
  });

  it("does not undo what somebody else changed between preview and click", async () => {
    const preview = await run("rule import", { text: ruleFile([rule({ id: "mine" })]) });
    await engine.save(rule({ id: "theirs" }));
    await expect(click(preview, "Put in force")).rejects.toMatchObject({ code: "expired" });
    expect(textOf(await run("rule show"))).toContain("theirs");
  });

  it("asks for the right again after the click", async () => {
    const preview = await run("rule import", { text: ruleFile([rule()]) });
    await database.query.deleteFrom("castellan.capabilities").execute();
    await expect(click(preview, "Put in force")).rejects.toMatchObject({ code: "not_allowed" });
  });
});

describe("who may", () => {
  const stranger = { ...context, actor: { ...context.actor, roleIds: [] } };

  it.each<[string, RawValues]>([
    ["rule show", {}],
    ["rule show", { rule: "scam" }],
    ["rule import", { text: "version: 1\nrules: []" }],
    ["rule mode", { rule: "scam", mode: "off" }],
  ])("/%s refuses a stranger", async (path, values) => {
    await engine.save(rule());
    await expect(run(path, values, stranger)).rejects.toMatchObject({ code: "not_allowed" });
  });

  it("names no single channel where the right in any of several would be enough", async () => {
    await network.seed.channel("art", { owner: 1 });
    await engine.link("art");
    await engine.save(rule());
    await expect(run("rule show", {}, stranger)).rejects.toThrow(
      'You may not view or change the rules of any channel of this server (/art, /memes); one of them would be enough. One of your roles needs "rules"',
    );
  });

  it("lets who has the right in one channel read, and change only with the right in all", async () => {
    await network.seed.channel("art", { owner: 1 });
    await engine.link("art");
    await engine.save(rule());
    expect(textOf(await run("rule show"))).toContain("scam");
    await expect(run("rule mode", { rule: "scam", mode: "off" })).rejects.toMatchObject({
      code: "not_allowed",
    });
    await give("art");
    expect(textOf(await run("rule mode", { rule: "scam", mode: "off" }))).toContain("Change scam?");
  });

  it("refuses a server that is linked to nothing", async () => {
    await database.query.deleteFrom("castellan.links").execute();
    await expect(run("rule show")).rejects.toMatchObject({ code: "not_linked" });
  });
});

describe("/rule mode", () => {
  it("tells how often the rule fired, and changes only its mode", async () => {
    await engine.save(rule({ mode: "shadow" }), rule({ id: "other" }));
    const now = context.clock.now();
    const data = {
      castHash: "0x1",
      text: "airdrop",
      rootHash: "0x1",
      threadDepth: 0,
      mentions: [],
      embeds: [],
    };
    const seen = { occurredAt: now / 1000, observedAt: now, depth: 0, caseId: null, data };
    await engine.append({
      sourceKey: "1",
      kind: "cast.created",
      channelId: "memes",
      subjectFid: author,
      ...seen,
    });
    await evaluatePending(engineContext);
    const preview = await run("rule mode", { rule: "scam", mode: "enforce" });
    expect(textOf(preview)).toContain("fired 1 times in the last 7 days");
    expect(textOf(await click(preview, "Change it"))).toContain("2 enforce, 0 review, 0 shadow");
    expect(textOf(await run("rule show", { version: 2 }))).toContain(
      "**2** `mode of scam: enforce` by <@50>",
    );
    const one = textOf(await run("rule show", { rule: "scam" }));
    expect(one).toContain("/memes would have acted on event E-1");
    expect(one).toContain("mode: enforce");
  });

  it("says when nothing would change", async () => {
    await engine.save(rule());
    expect(textOf(await run("rule mode", { rule: "SCAM", mode: "enforce" }))).toContain(
      "It already is in this mode.",
    );
  });

  it("does not know rules that are not there", async () => {
    await engine.save(rule());
    await expect(run("rule mode", { rule: "x", mode: "off" })).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("/rule show", () => {
  it("gives the file back as it was imported, also an older version", async () => {
    await engine.save(rule());
    await engine.save(rule({ mode: "off" }));
    const [now] = (await run("rule show", { version: 2 })).files ?? [];
    const [before] = (await run("rule show", { version: 1 })).files ?? [];
    expect(now).toEqual({ name: "rules-2.json", text: ruleFile([rule({ mode: "off" })]) });
    expect(before?.text).toBe(ruleFile([rule()]));
    await expect(run("rule show", { version: 3 })).rejects.toMatchObject({ code: "not_found" });
  });

  it("says where to begin when there are no rules", async () => {
    await expect(run("rule show")).rejects.toMatchObject({ code: "not_found" });
  });

  it("pages through many rules", async () => {
    await engine.save(
      ...Array.from({ length: 11 }, (_, index) => rule({ id: `r${String(index).padStart(2, "0")}` })),
    );
    const first = await run("rule show");
    expect(textOf(first)).not.toContain("r10");
    expect(textOf(await click(first, "Next"))).toContain("r10");
  });

  it("suggests rules by part of their id", async () => {
    await engine.save(rule(), rule({ id: "flood" }));
    const suggested = await findHandler(commands, "rule show")?.options["rule"]?.suggest?.("lo", context, {});
    expect(suggested).toEqual([{ name: "flood (enforce)", value: "flood" }]);
  });
});

describe("rules that an earlier Castellan took, and this one does not read", () => {
  beforeEach(async () => {
    await engine.save(rule());
    const source = "version: 1\nrules:\n  - {id: scam, on: [cast.vanished], then: [{hide: {}}]}";
    await database.query.updateTable("castellan.rule_sets").set({ source }).execute();
  });

  it.each([
    ["rule show", { rule: "scam" }],
    ["rule mode", { rule: "scam", mode: "off" }],
    ["rule test", {}],
  ])("are refused by /%s, with what is wrong", async (path, values) => {
    await expect(run(path, values)).rejects.toMatchObject({
      message: expect.stringContaining("no rule acts"),
      mistakes: [{ path: "line 3, column 21", message: expect.stringContaining("must be one of") }],
    });
  });

  it("are handed out by /rule show, and mended by /rule import", async () => {
    expect((await run("rule show")).files?.[0]?.text).toContain("cast.vanished");
    const preview = await run("rule import", { text: ruleFile([rule()]) });
    expect(textOf(await click(preview, "Put in force"))).toContain("Version 2 is in force: 1 enforce");
    expect(textOf(await run("rule show"))).toContain("scam");
  });

  it("are told of by /status", async () => {
    await give("memes", "view");
    expect(textOf(await run("status"))).toContain(
      "**No rules are running**: version 1 can no longer be read.",
    );
  });
});
