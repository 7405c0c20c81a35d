import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { expect } from "vitest";
import { requireListenable } from "../../src/listening.ts";
import { openBrowser, takesPictures } from "./browser.ts";
import { openTestConsole, withSignIn, type TestConsole } from "./console.ts";
import { startReviewsInDiscord, type ReviewsInDiscord } from "./rules-in-discord.ts";
import { castRow } from "./rules.ts";
import { people } from "./world.ts";

/** What strangers write, where a page that did not take it as text would show it. */
export const hostile = `<img src=x onerror="window.hit=1"> **b** [x](javascript:window.hit=1) @everyone \`\`\` <script>window.hit=1</script>`;
/** The troll's name; pictures of the documentation show an ordinary one. */
const name = takesPictures ? "lantern_deals" : hostile.slice(0, 60);

const usual = { width: 1280, height: 860 };
/** Both shades and both widths; each of them together where pictures are taken. */
export const shades = [
  ...(takesPictures ? [["light", usual] as const] : []),
  ["dark", usual] as const,
  ["light", { width: 390, height: 844 }] as const,
];

/** The console in a browser, on a bot that is in a local Discord. */
export interface ConsoleTab {
  scene: ReviewsInDiscord;
  desk: TestConsole;
  /** The tab that is open. */
  page(): Page;
  /** What the browser complained of since it was opened. */
  complaints(): string[];
  /** Bytes of all that was answered, since `forget`. */
  bytes(): number;
  forget(): void;
  reset(): Promise<void>;
  open(shade?: "light" | "dark", viewport?: { width: number; height: number }): Promise<void>;
  signIn(name: string): Promise<void>;
  /** To a part of the console, by its title. */
  goTo(title: string): Promise<void>;
  /** Nothing complained, nothing of strangers ran, nothing is wider than the page, nobody meets a barrier. */
  expectNoFaults(): Promise<void>;
  stop(): Promise<void>;
}

export async function openConsoleTab(): Promise<ConsoleTab> {
  const browser: Browser = await openBrowser();
  const scene = await startReviewsInDiscord(withSignIn);
  const port = await requireListenable({ host: "127.0.0.1", port: 0, hostSetting: "", portSetting: "" });
  const desk = openTestConsole(scene, `http://127.0.0.1:${port}`);
  await desk.server.listen({ host: "127.0.0.1", port });
  let open: Page | undefined;
  let complaints: string[] = [];
  let bytes = 0;
  const page = () => {
    if (open) return open;
    throw new Error("no page is open");
  };
  return {
    scene,
    desk,
    page,
    complaints: () => complaints,
    bytes: () => bytes,
    forget: () => void (bytes = 0),
    async reset() {
      await scene.reset();
      const { query } = scene.bot.database;
      const row = castRow(scene.castHash(), { fid: people.troll, text: hostile });
      await query.insertInto("castellan.casts").values(row).execute();
      await query
        .insertInto("castellan.names")
        .values({ fid: people.troll, name, owner: "0x", since: 1 })
        .execute();
    },
    async open(shade = "light", viewport = usual) {
      await open?.context().close();
      const context = await browser.newContext({ viewport, colorScheme: shade });
      open = await context.newPage();
      open.setDefaultTimeout(20_000);
      [complaints, bytes] = [[], 0];
      const mine = complaints;
      open.on("console", (message) => message.type() === "error" && mine.push(message.text()));
      open.on("pageerror", (error) => mine.push(error.message));
      open.on("response", (response) => {
        void response.body().then(
          (body) => (bytes += body.length),
          () => {},
        );
      });
      await open.goto(`${desk.origin}/console`);
    },
    async signIn(who) {
      await page().getByRole("link", { name: "Sign in with Discord" }).click();
      await page().getByRole("button", { name: who }).click();
    },
    async goTo(title) {
      await page().getByRole("link", { name: title, exact: true }).click();
      await page().getByRole("heading", { name: title, level: 1 }).waitFor();
    },
    async expectNoFaults() {
      expect(complaints).toEqual([]);
      expect(await page().evaluate("window.hit")).toBeUndefined();
      expect(await page().evaluate("document.documentElement.scrollWidth <= window.innerWidth")).toBe(true);
      expect(await findBarriers(page())).toEqual([]);
    },
    async stop() {
      await browser.close();
      await desk.server.close();
      await scene.stop();
    },
  };
}

export const everyImpact = ["minor", "moderate", "serious", "critical"];

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** What axe-core finds of these impacts, serious or worse unless said otherwise. Playwright's evaluation is no part of the page, so its policy lets it in. */
export async function findBarriers(page: Page, impacts = ["serious", "critical"]): Promise<string[]> {
  await page.evaluate(await readFile(axe, "utf8"));
  // axe's own result, of which these members are documented.
  const found = (await page.evaluate("axe.run()")) as {
    violations: { id: string; impact: string; nodes: { html: string }[] }[];
  };
  return found.violations
    .filter(({ impact }) => impacts.includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
}
