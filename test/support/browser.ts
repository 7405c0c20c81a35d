import { existsSync } from "node:fs";
import { chromium, type Browser, type BrowserContextOptions, type Locator, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** A browser of the machine, or undefined where it has none: none comes with the project. */
export const browserPath = process.env["CHROMIUM"] ?? places.find((place) => existsSync(place));

export function openBrowser(): Promise<Browser> {
  const args = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
  ];
  return chromium.launch({ ...(browserPath ? { executablePath: browserPath } : {}), args });
}

/** A page, and what the browser complained of there: console errors and exceptions. */
export interface OpenPage {
  page: Page;
  complaints: string[];
}

export interface TestBrowser {
  /** Opens an empty page in a context of its own: no cookies, no cache. */
  open(options?: BrowserContextOptions): Promise<OpenPage>;
}

/**
 * One browser for the tests of this file. Whatever page they open, a test fails when a content security policy is violated there,
 * or something is requested from elsewhere than this machine.
 */
export function useBrowser(): TestBrowser {
  let browser: Browser | undefined;
  const faults: string[] = [];
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterEach(() => {
    expect(faults.splice(0)).toEqual([]);
  });
  afterAll(() => browser?.close());
  return {
    async open(options = {}) {
      if (!browser) throw new Error("the browser is not open yet");
      const context = await browser.newContext(options);
      await context.exposeFunction("reportViolation", (text: string) => void faults.push(text));
      await context.addInitScript(`document.addEventListener("securitypolicyviolation", (event) => {
        window.reportViolation(\`policy: \${event.violatedDirective} \${event.blockedURI}\`);
      })`);
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
      page.on("pageerror", ({ message }) => complaints.push(message));
      page.on("request", (request) => {
        const { protocol, hostname } = new URL(request.url());
        const isLocal = hostname === "127.0.0.1" || ["data:", "blob:"].includes(protocol);
        if (!isLocal) faults.push(`request: ${request.url()}`);
      });
      return { page, complaints };
    },
  };
}

/** Whether the pictures of the documentation are taken anew. */
export const takesPictures = process.env["PICTURES"] === "1";

/** The sandbox's page in a browser, in the hands of one person after the other. */
export interface SandboxTab {
  page: Page;
  /** What the browser complained of: console errors, exceptions, violations of the content security policy. */
  complaints: string[];
  chat: Locator;
  network: Locator;
  /** Becomes another person, by the beginning of their name. */
  be(name: string): Promise<void>;
  enterRoom(name: string): Promise<void>;
  /** Types a command; each option is chosen from its suggestions where one says `choose`. */
  type(command: string, options?: Record<string, string | { type: string; choose: string }>): Promise<void>;
  /** The newest message of the open room that contains this text. */
  message(text: string | RegExp): Locator;
  /** The newest answer of the bot to this command. */
  answerTo(command: string): Locator;
  openChannel(id: string): Promise<void>;
  /** A cast of the open channel. */
  cast(text: string): Locator;
  /** A list of the open channel: Members, Invited, Restricted, Banned. */
  list(title: string): Locator;
}

/** The page is slow where the machine is. */
const patience = 60_000;

/** `script` runs in the page before its own. */
export async function openSandboxTab(
  browser: TestBrowser,
  address: string,
  script?: string,
): Promise<SandboxTab> {
  const { page, complaints } = await browser.open({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(patience);
  if (script !== undefined) await page.addInitScript(script);
  await page.goto(address);
  const chat = page.getByRole("region", { name: "Chat" });
  const network = page.getByRole("region", { name: "Network" });

  async function fill(name: string, given: string | { type: string; choose: string }): Promise<void> {
    const field = chat.locator(`[data-option="${name}"]`);
    if ((await field.count()) === 0)
      await chat.getByRole("combobox", { name: "Add an option" }).fill(`${name}:`);
    await field.fill(typeof given === "string" ? given : given.type);
    if (typeof given !== "string") await chat.getByRole("option", { name: given.choose }).first().click();
  }

  return {
    page,
    complaints,
    chat,
    network,
    async be(name) {
      const person = page.getByRole("radio", { name: new RegExp(`^(. )?${name}\\b`, "i") });
      await person.click();
      await chat.getByPlaceholder(new RegExp(` as ${name}\\b`)).waitFor();
      await network.getByPlaceholder(new RegExp(` as ${name}$`)).waitFor();
    },
    async enterRoom(name) {
      // Messages name rooms, too.
      await chat.locator("button.room-link").filter({ hasText: name }).click();
      await chat.getByRole("combobox", { name: `Message #${name}` }).waitFor();
    },
    async type(command, options = {}) {
      await chat.getByRole("combobox", { name: /^Message #/ }).fill(`/${command}`);
      await page.keyboard.press("Enter");
      for (const [name, given] of Object.entries(options)) await fill(name, given);
      await chat.locator("button.run").click();
      await chat.getByRole("combobox", { name: /^Message #/ }).waitFor();
    },
    message: (text) => chat.getByRole("article").filter({ hasText: text }).last(),
    answerTo: (command) =>
      chat
        .getByRole("article")
        .filter({ hasText: new RegExp(`used\\s*/${command}`) })
        .last(),
    async openChannel(id) {
      await network.getByRole("button", { name: `/${id}` }).click();
      await network.getByPlaceholder(new RegExp(`^Cast into /${id} as `)).waitFor();
    },
    cast: (text) =>
      network.getByRole("region", { name: "Casts" }).getByRole("listitem").filter({ hasText: text }).last(),
    list: (title) => network.getByRole("region", { name: title, exact: true }),
  };
}
