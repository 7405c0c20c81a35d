import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from "fastify";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { createConsole } from "../../src/console/create-console.ts";
import type { View } from "../../src/discord/view.ts";
import { requireListenable } from "../../src/listening.ts";
import { silentLog } from "../../src/log.ts";
import { createSandboxPage } from "../../src/sandbox/page-server.ts";
import { authorizePath } from "../../src/sandbox/discord/oauth/grants.ts";
import type { DiscordOptions } from "../../src/sandbox/discord/start-discord.ts";
import type { BotInDiscord } from "./bot-in-discord.ts";
import { startReviewsInDiscord, type ReviewsInDiscord } from "./rules-in-discord.ts";

export const clientSecret = "test-client-secret-of-the-application";

/** What the local Discord needs for people to sign in to a console. */
export const withSignIn: Partial<DiscordOptions> = {
  clientSecret,
  page: (discord) => createSandboxPage(discord, silentLog),
};

/** A console on a bot that is in a local Discord, asked as browsers ask. */
export interface TestConsole {
  origin: string;
  server: FastifyInstance;
  /** Goes the whole way on Discord's page. */
  signIn(userId: string, visitor?: Visitor): Promise<Visitor>;
  /** As far as Discord's page: gives its address. */
  setOut(visitor: Visitor, to?: string): Promise<string>;
  /** Says yes on Discord's page; gives the path to which one is sent back. */
  agree(page: string, userId: string): Promise<string>;
  get(path: string, visitor?: Visitor, headers?: Record<string, string>): Promise<LightMyRequestResponse>;
  post(
    path: string,
    body: object,
    visitor?: Visitor,
    headers?: Record<string, string>,
  ): Promise<LightMyRequestResponse>;
}

/** A browser: its cookies, and what its page knows. */
export interface Visitor {
  cookies: Map<string, string>;
  csrf: string;
}

export const newVisitor = (): Visitor => ({ cookies: new Map(), csrf: "" });

export function openTestConsole(
  { bot, discord, members }: BotInDiscord,
  origin = "https://castellan.test",
): TestConsole {
  discord.context.grants.redirectUris.add(`${origin}/console/callback`);
  const server = createConsole(
    {
      context: bot,
      members: members(),
      origin,
      application: { id: discord.applicationId, secret: clientSecret, api: discord.api },
      authorizeUrl: `${discord.origin}${authorizePath}`,
    },
    silentLog,
  );
  const { host } = new URL(origin);

  async function send(options: InjectOptions, visitor: Visitor): Promise<LightMyRequestResponse> {
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { host, ...(cookie !== "" && { cookie }), ...options.headers };
    const response = await server.inject({ ...options, headers });
    for (const { name, value } of response.cookies) {
      if (value === "") visitor.cookies.delete(name);
      else visitor.cookies.set(name, value);
    }
    return response;
  }

  const console: TestConsole = {
    origin,
    server,
    get: (url, visitor = newVisitor(), headers = {}) => send({ method: "GET", url, headers }, visitor),
    post: (url, body, visitor = newVisitor(), headers = {}) => {
      const own = { origin, "sec-fetch-site": "same-origin", "x-csrf-token": visitor.csrf };
      return send({ method: "POST", url, payload: body, headers: { ...own, ...headers } }, visitor);
    },
    async setOut(visitor, to) {
      const query = to === undefined ? "" : `?to=${encodeURIComponent(to)}`;
      return String((await console.get(`/console/sign-in${query}`, visitor)).headers.location);
    },
    async agree(page, userId) {
      const body = new URLSearchParams({ user: userId });
      const answer = await fetch(page, { method: "POST", body, redirect: "manual" });
      return (answer.headers.get("location") ?? "").replace(origin, "");
    },
    async signIn(userId, visitor = newVisitor()) {
      const back = await console.agree(await console.setOut(visitor), userId);
      await console.get(back, visitor);
      const me = (await console.get("/console/api/me", visitor)).json<{ csrf?: string }>();
      visitor.csrf = me.csrf ?? "";
      return visitor;
    },
  };
  return console;
}

export interface ConsoleSetup {
  readonly scene: ReviewsInDiscord;
  readonly desk: TestConsole;
  readonly guildId: string;
  /** The moderator, signed in. */
  readonly visitor: Visitor;
}

/** One console for the tests of a file, on a bot in a local Discord. Both are reset before each test. */
export function useConsole({ listens = false } = {}): ConsoleSetup {
  let started: { scene: ReviewsInDiscord; desk: TestConsole } | undefined;
  let visitor = newVisitor();
  const running = () => {
    if (started) return started;
    throw new Error("the console has not been started");
  };
  beforeAll(async () => {
    const scene = await startReviewsInDiscord(withSignIn);
    started = { scene, desk: listens ? await listen(scene) : openTestConsole(scene) };
  });
  beforeEach(async () => {
    const { scene, desk } = running();
    await scene.reset();
    visitor = await desk.signIn(scene.users.moderator);
  });
  afterAll(async () => {
    await started?.desk.server.close();
    await started?.scene.stop();
  });
  return {
    get scene() {
      return running().scene;
    },
    get desk() {
      return running().desk;
    },
    get guildId() {
      return running().scene.discord.guildId;
    },
    get visitor() {
      return visitor;
    },
  };
}

async function listen(scene: BotInDiscord): Promise<TestConsole> {
  const port = await requireListenable({ host: "127.0.0.1", port: 0, hostSetting: "", portSetting: "" });
  const desk = openTestConsole(scene, `http://127.0.0.1:${port}`);
  await desk.server.listen({ host: "127.0.0.1", port });
  return desk;
}

interface FoundCast {
  hash: string;
  fid: number;
  channel: string;
  hidden: boolean;
  isAuthorBanned: boolean;
  parent?: { link: string; text?: string };
}

/** What the desk of a server answers: a part of it each time. */
export interface DeskAnswer {
  status: number;
  view: View;
  items: { number: string; view: View }[];
  cases: { number: string; target: string; by: string; state: string }[];
  casts: FoundCast[];
  said: string;
  count: string;
  matching?: Record<string, string>;
  next?: string;
  edits?: { reason: string; duration: boolean };
  version: number;
  rules: { id: string; mode: string; line: string }[];
  text: string;
  inForce: number;
  versions: { version: number; change: string; by: string }[];
  bulks: { number: string; targets: number; settled: number; isUnderWay: boolean; view: View }[];
  mistakes: { path: string; message: string }[];
  moderators: string[];
  names: Record<string, string>;
  error?: { code: string; message: string; names: Record<string, string> };
  ephemeral?: boolean;
}

/** The desk of one server, as one asks it: as the moderator, unless another is named. */
export function deskOf(setup: Pick<ConsoleSetup, "desk" | "guildId" | "visitor">) {
  const at = (path: string) => `/console/api/servers/${setup.guildId}${path}`;
  const read = async (path: string, by = setup.visitor): Promise<DeskAnswer> => {
    const answer = await setup.desk.get(at(path), by);
    return { ...answer.json<DeskAnswer>(), status: answer.statusCode };
  };
  const act = async (path: string, body: object, by = setup.visitor): Promise<DeskAnswer> => {
    const answer = await setup.desk.post(at(path), body, by);
    // On a busy machine an action may report its progress first, line by line.
    const last = answer.body.trimEnd().split("\n").at(-1) ?? "";
    // The shape of the desk's answers, as above.
    return { ...(JSON.parse(last) as DeskAnswer), status: answer.statusCode };
  };
  return {
    at,
    read,
    act,
    run: (path: string, options: Record<string, string>, by?: Visitor) => act("/run", { path, options }, by),
    press: (view: View, label: string, by?: Visitor) => act("/press", { customId: idOf(view, label) }, by),
  };
}

function idOf({ buttons = [] }: View, label: string): string {
  return buttons.flat().find((button) => button.label === label)?.customId ?? `no button ${label}`;
}

export function textOf({ embeds = [] }: View): string {
  return embeds.map((embed) => JSON.stringify(embed)).join("\n");
}
