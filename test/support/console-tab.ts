import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeEach, expect } from "vitest";
import { takesPictures, useBrowser, type OpenPage } from "./browser.ts";
import { useConsole, type TestConsole } from "./console.ts";
import type { ReviewsInDiscord } from "./rules-in-discord.ts";
import { castRow } from "./rules.ts";
import { people } from "./world.ts";

/** What strangers write, where a page that did not take it as text would show it. */
export const hostile = `<img src=x onerror="window.hit=1"> **b** [x](javascript:window.hit=1) @everyone \`\`\` <script>window.hit=1</script>`;
/** The troll's name; pictures of the documentation show an ordinary one. */
const name = takesPictures ? "lantern_deals" : hostile.slice(0, 60);

const usual = { width: 1280, height: 860 };
const phone = { width: 390, height: 844 };
/** Both shades at both widths. */
export const shades = [
  ["light", usual],
  ["dark", usual],
  ["dark", phone],
  ["light", phone],
] as const;

/** The console in a browser, on a bot that is in a local Discord. */
export interface ConsoleTab {
  readonly scene: ReviewsInDiscord;
  readonly desk: TestConsole;
  /** The tab that is open. */
  page(): Page;
  /** What the browser complained of since it was opened. */
  complaints(): string[];
  /** Begins to count the bytes of all that is answered. */
  countBytes(): () => Promise<number>;
  open(shade?: "light" | "dark", viewport?: { width: number; height: number }): Promise<void>;
  /** The same as the moderator, who has signed in before. */
  openSignedIn(shade?: "light" | "dark", viewport?: { width: number; height: number }): Promise<void>;
  /** On Discord's page, by its buttons. */
  signIn(name: string): Promise<void>;
  /** To a part of the console, by its title. */
  goTo(title: string): Promise<void>;
  /** Nothing complained, nothing of strangers ran, nothing is wider than the page, nobody meets a barrier. */
  expectNoFaults(): Promise<void>;
}

/** The console in a browser for the tests of a file, reset before each of them. */
export function useConsoleTab(): ConsoleTab {
  const browser = useBrowser();
  const setup = useConsole({ listens: true });
  let opened: OpenPage | undefined;
  const page = () => {
    if (opened) return opened.page;
    throw new Error("no page is open");
  };
  /** The same page again, with nothing left from before: a new one costs a second, where a test takes five. */
  async function openEmpty(colorScheme: "light" | "dark" = "light", viewport = usual): Promise<void> {
    opened ??= await browser.open();
    const { page: tab, complaints } = opened;
    tab.setDefaultTimeout(60_000);
    await tab.goto("about:blank");
    await tab.unrouteAll();
    await tab.context().clearCookies();
    const devTools = await tab.context().newCDPSession(tab);
    await devTools.send("Storage.clearDataForOrigin", { origin: setup.desk.origin, storageTypes: "all" });
    await devTools.detach();
    await tab.emulateMedia({ colorScheme });
    await tab.setViewportSize(viewport);
    complaints.length = 0;
  }
  beforeEach(async () => {
    const { query } = setup.scene.bot.database;
    const row = castRow(setup.scene.castHash(), { fid: people.troll, text: hostile });
    await query.insertInto("castellan.casts").values(row).execute();
    await query
      .insertInto("castellan.names")
      .values({ fid: people.troll, name, owner: "0x", since: 1 })
      .execute();
  });
  afterAll(() => opened?.page.context().close());
  return {
    get scene() {
      return setup.scene;
    },
    get desk() {
      return setup.desk;
    },
    page,
    complaints: () => opened?.complaints ?? [],
    countBytes() {
      const sizes: Promise<number>[] = [];
      page().on("response", (response) => {
        sizes.push(
          response.body().then(
            ({ length }) => length,
            () => 0,
          ),
        );
      });
      return async () => (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    },
    async open(shade, viewport) {
      await openEmpty(shade, viewport);
      await page().goto(`${setup.desk.origin}/console`);
    },
    async openSignedIn(shade, viewport) {
      await openEmpty(shade, viewport);
      const { origin: url } = setup.desk;
      const cookies = [...setup.visitor.cookies].map(([cookie, value]) => ({ name: cookie, value, url }));
      await page().context().addCookies(cookies);
      await page().goto(`${url}/console`);
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
      expect(opened?.complaints).toEqual([]);
      expect(await page().evaluate("window.hit")).toBeUndefined();
      expect(await page().evaluate("document.documentElement.scrollWidth <= window.innerWidth")).toBe(true);
      expect(await findBarriers(page())).toEqual([]);
    },
  };
}

export const everyImpact = ["minor", "moderate", "serious", "critical"];

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** What axe-core finds of these impacts, serious or worse unless said otherwise. Playwright's evaluation is no part of the page, so its policy lets it in. */
export async function findBarriers(page: Page, impacts = ["serious", "critical"]): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(await readFile(axe, "utf8"));
  // axe's own result, of which these members are documented. What passes, and files of other origins, are not looked for.
  const found = await page.evaluate<{
    violations: { id: string; impact: string; nodes: { html: string }[] }[];
  }>('axe.run({ resultTypes: ["violations"], preload: false })');
  return found.violations
    .filter(({ impact }) => impacts.includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
}
