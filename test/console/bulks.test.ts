import { sql } from "kysely";
import { describe, expect, it, test } from "vitest";
import { addCasts } from "../support/casts.ts";
import { deskOf, textOf, useConsole } from "../support/console.ts";
import { people } from "../support/world.ts";

const setup = useConsole();
const { at, read, run, press } = deskOf(setup);
const spam = { text: "lantern", channel: "memes" };
const hostile = '=1+1 "<b>" **x** @everyone';

async function hideThree(): Promise<void> {
  await addCasts(setup.scene.bot, 3, { fid: people.troll, text: "lantern" });
  const { view } = await run("hide", { ...spam, reason: hostile });
  await press(view, "Hide all of them");
}

describe("bulks", () => {
  it("begin after a preview, show how far they are, and are undone", async () => {
    await addCasts(setup.scene.bot, 3, { fid: people.troll, text: "lantern" });
    const asked = await run("hide", spam);
    expect(textOf(asked.view)).toContain("Hide 3 casts in /memes?");
    expect((await read("/bulks")).bulks).toEqual([]);
    expect((await press(asked.view, "Hide all of them")).status).toBe(200);
    expect(await setup.scene.hidden()).toHaveLength(3);
    const [bulk] = (await read("/bulks")).bulks;
    expect(bulk).toMatchObject({ number: "B-1", targets: 3, settled: 3, isUnderWay: false });
    const { view, names } = { ...(await read("/bulks")), view: bulk?.view ?? {} };
    expect(names).toMatchObject({ [setup.scene.users.moderator]: "Mona Moderator" });
    expect((await press(view, "Every target")).view.files).toMatchObject([{ name: "bulk-1.txt" }]);
    const undo = await press(view, "Undo");
    expect(textOf(undo.view)).toContain("Undo B-1 in /memes?");
    await press(undo.view, "Undo all of it");
    expect((await setup.scene.hidden()).filter(([, action]) => action === "unhide")).toHaveLength(3);
    expect((await read("/bulks")).bulks.map(({ number }) => number)).toEqual(["B-2", "B-1"]);
  });

  it("that are under way can be stopped: what is not done yet stays as it is", async () => {
    await hideThree();
    const { query } = setup.scene.bot.database;
    await query.updateTable("castellan.bulks").set({ ended_at_ms: null }).execute();
    await query.updateTable("castellan.cases").set({ state: "requested" }).where("number", "=", 3).execute();
    const [bulk] = (await read("/bulks")).bulks;
    expect(bulk).toMatchObject({ settled: 2, targets: 3, isUnderWay: true });
    expect((await press(bulk?.view ?? {}, "Stop")).status).toBe(200);
    expect((await read("/bulks")).bulks).toMatchObject([{ settled: 3, isUnderWay: false }]);
  });

  it("cannot be seen, started, stopped or undone without permission", async () => {
    await hideThree();
    const [bulk] = (await read("/bulks")).bulks;
    for (const name of ["stranger", "member"] as const) {
      const visitor = await setup.desk.signIn(setup.scene.users[name]);
      expect((await read("/bulks", visitor)).status).toBe(403);
      expect((await press(bulk?.view ?? {}, "Undo", visitor)).status).toBe(403);
      expect((await press(bulk?.view ?? {}, "Every target", visitor)).status).toBe(403);
      for (const [path, typed] of [
        ["hide", spam],
        ["hide", { ...spam, show_again: "true" }],
        ["ban", { text: "airdrop" }],
        ["ban", { lift: "true", since: "1h" }],
      ] as const) {
        expect([path, (await run(path, typed, visitor)).status]).toEqual([path, 403]);
      }
    }
  });
});

test("statistics come with their picture, and the same numbers as text", async () => {
  expect(textOf((await read("/read/statistics")).view)).toContain("Nothing was done");
  await hideThree();
  const { view } = await read("/read/statistics?channel=memes&since=7d&theme=light");
  expect(textOf(view)).toContain("**3 cases** in /memes");
  expect(view.pictures).toMatchObject([
    {
      src: expect.stringMatching(/^data:image\/png;base64,iVBORw0KGgo/),
      description: expect.stringContaining("Statistics of /memes"),
    },
  ]);
  const stranger = await setup.desk.signIn(setup.scene.users.stranger);
  expect((await read("/read/statistics", stranger)).status).toBe(403);
});

describe("cases as a file", () => {
  const file = (path: string, visitor = setup.visitor) => setup.desk.get(at(path), visitor);

  it("come by the filters of the page, and are kept under the channel's name", async () => {
    await hideThree();
    const csv = await file("/export/csv?channel=memes&words=lantern&user=");
    expect(csv.headers).toMatchObject({
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": 'attachment; filename="cases-memes.csv"',
      "x-content-type-options": "nosniff",
    });
    const [head, ...rows] = csv.body.trimEnd().split("\r\n");
    expect([head?.split(",")[0], rows.length]).toEqual(["\ufeffnumber", 3]);
    // What a spreadsheet would take for a formula is text.
    expect(csv.body).toContain(`"'=1+1 ""<b>""`);
    const lines = (await file("/export/jsonl?channel=memes&action=ban")).body;
    expect(lines).toBe("");
    const [last] = (await file("/export/jsonl?channel=memes")).body.split("\n");
    expect(JSON.parse(last ?? "")).toMatchObject({ number: "C-3", action: "hide", reason: hostile });
  });

  it("are refused to who may not see them, and in other forms", async () => {
    await hideThree();
    for (const name of ["stranger", "member"] as const) {
      const visitor = await setup.desk.signIn(setup.scene.users[name]);
      expect((await file("/export/csv?channel=memes", visitor)).statusCode).toBe(403);
    }
    expect((await file("/export/exe?channel=memes")).statusCode).toBe(404);
    expect((await setup.desk.get(at("/export/csv?channel=memes"))).statusCode).toBe(401);
  });
});

it("the look for news asks an index when anything was decided", async () => {
  const plan = await setup.scene.bot.database.transaction(async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx);
    return sql`explain select max(decided_at_ms) from castellan.review_items where guild_id = '1'`.execute(
      tx,
    );
  });
  expect(JSON.stringify(plan.rows)).toContain("review_items_decided");
});
