import { describe, expect, it, test } from "vitest";
import { findRules } from "../../src/rules/versions/rules-of-server.ts";
import { deskOf, textOf, useConsole } from "../support/console.ts";

const setup = useConsole();
const { read, act, run, press } = deskOf(setup);

const file = (word: string) => `version: 1
rules:
  - id: scam
    on: [cast.created]
    when: {text: {contains: "${word}"}}
    then: [{hide: {}}]
  - id: other
    on: [cast.created]
    when: {text: {contains: "lamp"}}
    then: [{hide: {}}]
`;

const inForce = () => findRules(setup.scene.bot, setup.scene.discord.guildId);

async function save(source: string, baseVersion: number): Promise<void> {
  const { view } = await act("/rules/propose", { source, baseVersion });
  await press(view, "Put in force");
}

describe("rules", () => {
  it("are put in force after a preview, from the beginning that the editor offers", async () => {
    expect(await read("/rules")).toMatchObject({ version: 0, rules: [] });
    const { text, version } = await read("/rules/source");
    expect([version, text]).toEqual([0, expect.stringContaining("id: first-rule")]);
    const asked = await act("/rules/propose", { source: text, baseVersion: 0 });
    expect(textOf(asked.view)).toContain("first-rule");
    expect(textOf(asked.view)).toContain("Rehearsed on");
    expect(await inForce()).toBeUndefined();
    expect((await press(asked.view, "Put in force")).status).toBe(200);
    expect((await inForce())?.source).toBe(text);
    const listed = await read("/rules");
    expect(listed).toMatchObject({ version: 1, rules: [{ id: "first-rule", mode: "shadow" }] });
    expect(listed.rules[0]?.line).toContain("0 hits in 7 days");
  });

  it("are edited one at a time, onto what others changed meanwhile", async () => {
    await save(file("airdrop"), 0);
    const { text } = await read("/rules/source?rule=scam");
    expect(text).toMatch(/^id: scam\n/);
    await save(file("airdrop").replace("lamp", "lantern"), 1);
    const asked = await act("/rules/propose", {
      rule: "scam",
      source: text.replace("airdrop", "giveaway"),
      baseVersion: 1,
    });
    await press(asked.view, "Put in force");
    expect((await inForce())?.source).toBe(file("giveaway").replace("lamp", "lantern"));
  });

  it("as a whole file are not put over what others changed meanwhile", async () => {
    await save(file("airdrop"), 0);
    await save(file("giveaway"), 1);
    const late = await act("/rules/propose", { source: file("late"), baseVersion: 1 });
    expect([late.status, late.error?.message]).toEqual([
      410,
      expect.stringContaining("changed in the meantime"),
    ]);
    const asked = await act("/rules/propose", { source: file("first"), baseVersion: 2 });
    await save(file("second"), 2);
    expect((await press(asked.view, "Put in force")).status).toBe(410);
    expect((await inForce())?.source).toBe(file("second"));
  });

  it("that are wrong are told where, as typed, and change nothing", async () => {
    await save(file("airdrop"), 0);
    const whole = await act("/rules/mistakes", { source: file("x").replace("contains", "contians") });
    expect(whole.mistakes).toEqual([
      { path: "line 5, column 19", message: expect.stringContaining('unknown key "contians"') },
    ]);
    const one = await act("/rules/mistakes", { rule: "other", source: "id: other\non: [nothing]\n" });
    expect(one.mistakes.map(({ path }) => path)).toContain("line 2, column 6");
    expect((await act("/rules/mistakes", { source: file("<b>") })).mistakes).toEqual([]);
    expect((await act("/rules/mistakes", { source: "x".repeat(140_000) })).mistakes).toMatchObject([
      { path: "file", message: expect.stringContaining("kB are read") },
    ]);
    expect((await act("/rules/propose", { source: "rules: [", baseVersion: 1 })).status).toBe(400);
    expect((await inForce())?.version).toBe(1);
  });

  it("change their mode, and come back, after a question each", async () => {
    await save(file("airdrop"), 0);
    const asked = await run("rule mode", { rule: "scam", mode: "off" });
    await press(asked.view, "Change it");
    expect(await read("/rules")).toMatchObject({ version: 2, rules: [{ id: "other" }, { mode: "off" }] });
    const { versions, inForce: now, names } = await read("/rules/versions");
    expect(now).toBe(2);
    expect(versions).toMatchObject([{ version: 2, change: "mode of scam: off" }, { version: 1 }]);
    expect(names).toMatchObject({ [setup.scene.users.moderator]: "Mona Moderator" });
    expect((await read("/rules/source?version=1")).text).toBe(file("airdrop"));
    expect((await read("/rules/source?version=7")).status).toBe(404);
    await press((await run("rule rollback", { version: "1" })).view, "Bring it back");
    expect((await inForce())?.source).toBe(file("airdrop"));
  });

  it("are tried on the past, which changes nothing", async () => {
    await setup.scene.judge({ mode: "shadow" });
    const tried = await act("/rules/rehearse", { source: file("airdrop"), days: 30, channel: "memes" });
    expect(textOf(tried.view)).toContain("These rules, rehearsed on the past");
    expect(textOf(tried.view)).toContain("**scam**");
    expect(await setup.scene.hidden()).toEqual([]);
    expect((await inForce())?.version).toBe(1);
    const none = await act("/rules/rehearse", { days: 366 });
    expect(none.status).toBe(400);
  });

  it("have the language that editors read", async () => {
    const schema = await read("/rules/schema");
    expect(JSON.stringify(schema)).toContain("embed.domain");
  });
});

test("who has no right to rules is refused at each of their pages", async () => {
  await save(file("airdrop"), 0);
  const source = file("late");
  for (const name of ["stranger", "member"] as const) {
    const visitor = await setup.desk.signIn(setup.scene.users[name]);
    for (const page of ["", "/source", "/source?rule=scam", "/source?version=1", "/versions"]) {
      const { status, error } = await read(`/rules${page}`, visitor);
      expect([page, status, error?.code]).toEqual([page, 403, "not_allowed"]);
    }
    for (const what of ["mistakes", "propose", "rehearse"]) {
      for (const rule of [undefined, "scam"]) {
        const body = { rule, source, baseVersion: 1 };
        expect([what, (await act(`/rules/${what}`, body, visitor)).status]).toEqual([what, 403]);
      }
    }
    for (const [path, options] of [
      ["rule mode", { rule: "scam", mode: "off" }],
      ["rule rollback", { version: "1" }],
      ["rule show", { rule: "scam" }],
    ] as const) {
      expect([path, (await run(path, options, visitor)).status]).toEqual([path, 403]);
    }
  }
  const csrfless = { ...setup.visitor, csrf: "" };
  expect((await act("/rules/propose", { source, baseVersion: 1 }, csrfless)).status).toBe(403);
  expect((await inForce())?.version).toBe(1);
});
