import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { requireListenable } from "../../src/listening.ts";
import { browserPath, openBrowser, takesPictures } from "../support/browser.ts";
import { openTestConsole, withSignIn, type TestConsole } from "../support/console.ts";
import { startReviewsInDiscord, type ReviewsInDiscord } from "../support/rules-in-discord.ts";
import { castRow } from "../support/rules.ts";
import { people } from "../support/world.ts";

test.skipIf(browserPath)("there is no browser on this machine: the console was not seen in one", () => {
  expect(browserPath).toBeUndefined();
});

const hostile = `<img src=x onerror="window.hit=1"> **b** [x](javascript:window.hit=1) @everyone \`\`\` <script>window.hit=1</script>`;
/** The troll's name; pictures of the documentation show an ordinary one. */
const name = takesPictures ? "lantern_deals" : hostile.slice(0, 60);
const shades = [
  ["light", { width: 1280, height: 860 }],
  ["dark", { width: 1280, height: 860 }],
  ["light", { width: 390, height: 844 }],
] as const;

describe.runIf(browserPath)("the console in a browser", { timeout: 120_000 }, () => {
  let scene: ReviewsInDiscord;
  let desk: TestConsole;
  let browser: Browser;
  let page: Page;
  let complaints: string[];
  let bytes: number;

  beforeAll(async () => {
    browser = await openBrowser();
    scene = await startReviewsInDiscord(withSignIn);
    const place = { host: "127.0.0.1", port: 0, hostSetting: "", portSetting: "" };
    const port = await requireListenable(place);
    desk = openTestConsole(scene, `http://127.0.0.1:${port}`);
    await desk.server.listen({ host: "127.0.0.1", port });
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await desk.server.close();
    await scene.stop();
  });
  beforeEach(async () => {
    await scene.reset();
    const row = castRow(scene.castHash(), { fid: people.troll, text: hostile });
    const { query } = scene.bot.database;
    await query.insertInto("castellan.casts").values(row).execute();
    await query
      .insertInto("castellan.names")
      .values({ fid: people.troll, name, owner: "0x", since: 1 })
      .execute();
  });

  async function open(
    shade: "light" | "dark" = "light",
    viewport = { width: 1280, height: 860 },
  ): Promise<void> {
    await page?.context().close();
    const context = await browser.newContext({ viewport, colorScheme: shade });
    page = await context.newPage();
    page.setDefaultTimeout(20_000);
    complaints = [];
    bytes = 0;
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("response", (response) => {
      void response.body().then(
        (body) => (bytes += body.length),
        () => {},
      );
    });
    await page.goto(`${desk.origin}/console`);
  }

  async function signIn(name: string): Promise<void> {
    await page.getByRole("link", { name: "Sign in with Discord" }).click();
    await page.getByRole("button", { name }).click();
  }

  const goTo = async (title: string) => {
    await page.getByRole("link", { name: title, exact: true }).click();
    await page.getByRole("heading", { name: title, level: 1 }).waitFor();
  };
  const review = () => page.getByRole("article", { name: "Review R-1" });

  async function expectNoFaults(): Promise<void> {
    expect(complaints).toEqual([]);
    expect(await page.evaluate("window.hit")).toBeUndefined();
    expect(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")).toBe(true);
    expect(await findBarriers(page)).toEqual([]);
  }

  it("its first view is small and there within a second", async () => {
    await scene.hold();
    await open();
    await signIn("Mona Moderator");
    await review().waitFor();
    await open();
    bytes = 0;
    const start = performance.now();
    await page.goto(`${desk.origin}/console`);
    await page.getByRole("link", { name: "Sign in with Discord" }).waitFor();
    // The goal is a second on a machine of its own; this one runs other tests meanwhile.
    expect(performance.now() - start).toBeLessThan(4000);
    expect(bytes).toBeLessThan(150_000);
  });

  it.each(shades)("shows everything as text, %s at %o, without barriers", async (shade, viewport) => {
    await scene.hold();
    await open(shade, viewport);
    await expectNoFaults();
    await signIn("Mona Moderator");
    await review().waitFor();
    await expectNoFaults();
    const picture = viewport.width === 390 ? "console-phone" : shade === "dark" ? "console-dark" : "console";
    if (takesPictures) await page.screenshot({ path: `docs/pictures/${picture}.png` });
    await review().getByRole("button", { name: "Hide" }).click();
    await page.getByText("Nothing is waiting for a decision.").waitFor();
    await goTo("Cases");
    await page.getByRole("link", { name: "C-1" }).waitFor();
    await expectNoFaults();
    await page.getByRole("link", { name: "C-1" }).click();
    await page.getByRole("heading", { name: /C-1 · Hide · done/ }).waitFor();
    await expectNoFaults();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("dialog").getByText("1 cast shows again.").waitFor();
    await expectNoFaults();
    await page.keyboard.press("Escape");
    await goTo("People");
    await page.getByRole("combobox", { name: "Who" }).fill("7");
    await page.getByRole("button", { name: "Show" }).click();
    await page.getByText("Latest casts").waitFor();
    expect(await page.locator("main").textContent()).toContain('<img src=x onerror="window.hit=1"> **b**');
    await expectNoFaults();
    for (const title of ["Rules", "Health", "Audit"]) {
      await goTo(title);
      await page.locator("article").waitFor();
      await expectNoFaults();
    }
  });

  it("is worked by the keyboard alone", async () => {
    await scene.hold();
    await open();
    await signIn("Mona Moderator");
    await review().waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("c");
    await review().getByText("is looking at it, and decides.").waitFor();
    await page.keyboard.press("b");
    await page.getByRole("dialog").getByRole("button", { name: "7 days" }).waitFor();
    await page.keyboard.press("Escape");
    expect(await scene.banned()).toEqual([]);
    await page.keyboard.press("d");
    await page.getByText("Nothing is waiting for a decision.").waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("h");
    await page.getByRole("heading", { name: "Health", level: 1 }).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("is live: what is held, and what others decide, shows without a reload", async () => {
    await open();
    await signIn("Mona Moderator");
    await page.getByText("Nothing is waiting for a decision.").waitFor();
    const { feed } = await scene.hold();
    await review().waitFor();
    await scene.click("owner", feed, "Dismiss");
    await page.getByText("Nothing is waiting for a decision.").waitFor();
    expect(complaints).toEqual([]);
  });

  it("ends with the session, on every page that is open, and shows a stranger no desk", async () => {
    await open();
    await signIn("Mona Moderator");
    await page.getByText("Nothing is waiting for a decision.").waitFor();
    await scene.bot.database.query.deleteFrom("castellan.console_sessions").execute();
    await scene.hold();
    await page.getByRole("link", { name: "Sign in with Discord" }).waitFor();
    await signIn("Sam Stranger");
    await page.getByText("Castellan is in no server in which you may do anything.").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("link", { name: "Sign in with Discord" }).waitFor();
  });

  it("the page on which one chooses who one is, and the sandbox's own, have no barriers", async () => {
    await open();
    await page.getByRole("link", { name: "Sign in with Discord" }).click();
    await page.getByRole("button", { name: "Mona Moderator" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("You were not signed in.").waitFor();
    await page.goto(scene.discord.origin);
    await page.getByRole("combobox", { name: /^Message #/ }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
  });
});

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** What axe-core finds serious or worse. Playwright's evaluation is no part of the page, so its policy lets it in. */
async function findBarriers(page: Page): Promise<string[]> {
  const { readFile } = await import("node:fs/promises");
  await page.evaluate(await readFile(axe, "utf8"));
  // axe's own result, of which these members are documented.
  const found = (await page.evaluate("axe.run()")) as {
    violations: { id: string; impact: string; nodes: { html: string }[] }[];
  };
  return found.violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
}
