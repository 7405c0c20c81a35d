import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createServerDatabase } from "../support/database.ts";
import { createChat } from "../support/bot-in-discord.ts";
import { startTestDiscord, type TestDiscord } from "../support/discord.ts";
import { makeDataDirectory, runProgram, type Program } from "../support/program.ts";
import { startRelay, type Relay } from "../support/relay.ts";
import { findPort, hasServer } from "../support/services.ts";

const token = "the.token.of.this.test";
const keys = {
  REGISTRY_KEY: "ab".repeat(32),
  BOT_CUSTODY_KEY: "cd".repeat(32),
  BOT_APP_KEY: "ef".repeat(32),
  OPERATOR_TOKEN: "an-operator-token-of-enough-characters",
};
/** Milliseconds; and how many may be under way, on a machine that is busy with other things. */
const asking = { every: 200, most: 10 };

type Role = "api" | "bot" | "worker";

interface Running extends Program {
  url: string;
  /** What /readycheck says, as far as it is ready. */
  share(): Promise<unknown>;
}

describe.runIf(hasServer)("processes on one database", { timeout: 900_000 }, () => {
  const closing: (() => Promise<unknown>)[] = [];
  let discord: TestDiscord;
  let relay: Relay;
  let settings: Record<string, string>;
  let throughRelay: string;
  /** First answers that Discord took, by interaction. */
  const taken = new Map<string, number>();

  beforeAll(async () => {
    // The machine is busy: how long Discord waits is not what is asked here.
    const [database, started, home] = await Promise.all([
      createServerDatabase(),
      startTestDiscord({ token, acknowledgeWithin: 120_000 }),
      makeDataDirectory(),
    ]);
    discord = started;
    relay = await startRelay(database.url);
    closing.push(
      database.drop,
      () => relay.close(),
      () => discord.stop(),
      home.remove,
    );
    throughRelay = Object.assign(new URL(database.url), { host: new URL(relay.url).host }).href;
    settings = {
      ...keys,
      DATABASE_URL: database.url,
      DATA_DIR: `${home.directory}/none`,
      NETWORK: "empty",
      DISCORD_TOKEN: token,
      DISCORD_API: discord.api,
    };
    discord.exchanged.listen(({ path, answer }) => {
      const [, id] = /^\/interactions\/(\d+)\/[^/]+\/callback/.exec(path) ?? [];
      if (id !== undefined && answer.status < 300) taken.set(id, (taken.get(id) ?? 0) + 1);
    });
  });
  afterAll(async () => {
    for (const close of closing.toReversed()) await close();
  });

  async function start(changes: Record<string, string> = {}, role: Role = "bot"): Promise<Running> {
    const port = await findPort();
    const url = `http://127.0.0.1:${port}`;
    const program = runProgram([role], { ...settings, PORT: String(port), ...changes });
    closing.push(async () => {
      program.child.kill("SIGKILL");
      await program.exit;
    });
    await program.ready;
    const share = async () => {
      const answer = await fetch(`${url}/readycheck`);
      // It is what the process says.
      return ((await answer.json()) as { result?: unknown }).result;
    };
    return { ...program, url, share };
  }

  const active = { status: "ok", gateway: "active", shards: [0] };
  const standby = { status: "ok", gateway: "standby", shards: [] };
  const patiently = { timeout: 300_000, interval: 500 };

  /** Asks five times a second until it is told to end; then gives all answers, and how long the slowest took. */
  function keepAsking() {
    const answers: Promise<string>[] = [];
    let slowest = 0;
    const chat = createChat(discord);
    let open = 0;
    const timer = setInterval(() => {
      if (open >= asking.most) return;
      open += 1;
      const askedAt = performance.now();
      const answer = chat.run("owner", "status").then(({ text }) => {
        slowest = Math.max(slowest, performance.now() - askedAt);
        return text;
      });
      answers.push(answer);
      void answer.finally(() => (open -= 1)).catch(() => {});
    }, asking.every);
    return {
      count: () => answers.length,
      /** Milliseconds. */
      slowest: () => Math.round(slowest),
      async end() {
        clearInterval(timer);
        return Promise.all(answers);
      },
    };
  }

  /** Some commands have been asked and answered meanwhile. */
  async function pass(asked: { count: () => number }): Promise<void> {
    const before = asked.count();
    await vi.waitFor(() => expect(asked.count()).toBeGreaterThan(before + 10), patiently);
  }

  async function expectOneAnswerEach(asked: ReturnType<typeof keepAsking>): Promise<void> {
    const answers = await asked.end();
    expect(new Set(answers)).toEqual(new Set([expect.stringContaining("not linked to any channel yet")]));
    expect([...taken.values()].filter((times) => times !== 1)).toEqual([]);
    const wrong = discord.context.violations.filter(({ path }) => !path.endsWith("/callback"));
    expect(wrong).toEqual([]);
  }

  /** Asks each of the network's processes in turn, once a second, as a load balancer does. */
  function keepCalling(servers: readonly Running[]) {
    const answers: Promise<number>[] = [];
    const callOne = ({ url }: Running) =>
      fetch(`${url}/transfers?name=nobody`).then(
        ({ status }) => status,
        () => 0,
      );
    const timer = setInterval(() => {
      const server = servers[answers.length % servers.length];
      if (server) answers.push(callOne(server));
    }, 1_000);
    return {
      async end() {
        clearInterval(timer);
        return Promise.all(answers);
      },
    };
  }

  test("of each role are replaced one after the other: each command is answered once, and each call of the network", async () => {
    const roles = ["worker", "api", "bot"] as const;
    const running: { role: Role; program: Running }[] = [];
    for (const role of [...roles, ...roles]) running.push({ role, program: await start({}, role) });
    const behindBalancer = running.flatMap(({ role, program }) => (role === "api" ? [program] : []));
    const asked = keepAsking();
    const called = keepCalling(behindBalancer);
    await pass(asked);
    for (const one of running) {
      const old = one.program;
      one.program = await start({}, one.role);
      await vi.waitFor(
        async () => expect(await one.program.share()).toMatchObject({ status: "ok" }),
        patiently,
      );
      const place = behindBalancer.indexOf(old);
      if (place !== -1) behindBalancer[place] = one.program;
      expect([one.role, await old.end()]).toEqual([one.role, 0]);
      await pass(asked);
      expect(old.output()).not.toMatch(/could not be (answered|shown)/);
    }
    const count = asked.count();
    await expectOneAnswerEach(asked);
    const calls = await called.end();
    expect(new Set(calls)).toEqual(new Set([200]));
    for (const { role, program } of running) expect([role, await program.end()]).toEqual([role, 0]);
    process.stdout.write(
      `rolling upgrade: ${count} commands and ${calls.length} calls answered, the slowest command after ${asked.slowest()} ms\n`,
    );
  });

  test("that are bots are replaced one after the other, and one loses its database: each command is answered once, and truly", async () => {
    const [old1, old2] = [await start(), await start()];
    expect(await old1.share()).toEqual(active);
    expect(await old2.share()).toEqual(standby);
    const asked = keepAsking();
    await pass(asked);

    const new1 = await start({ DATABASE_URL: throughRelay, LOG_LEVEL: "debug" });
    expect(await old1.end()).toBe(0);
    await vi.waitFor(async () => expect(await old2.share()).toEqual(active), patiently);
    await pass(asked);
    const new2 = await start();
    expect(await old2.end()).toBe(0);
    await vi.waitFor(async () => expect(await new1.share()).toEqual(active), patiently);
    expect(await new2.share()).toEqual(standby);
    await pass(asked);
    await expectOneAnswerEach(asked);
    for (const each of [old1, old2]) expect(each.output()).not.toMatch(/could not be (answered|shown)/);

    // The one that answers loses its database without hearing of it.
    const losses = () => new1.output().split("another process was first to answer").length - 1;
    const before = losses();
    relay.swallow();
    const more = keepAsking();
    await vi.waitFor(async () => expect(await new2.share()).toEqual(active), patiently);
    await pass(more);
    await expectOneAnswerEach(more);
    await vi.waitFor(() => expect(losses() - before).toBe(more.count()), patiently);
  });
});
