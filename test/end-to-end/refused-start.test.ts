import { afterAll, describe, expect, test } from "vitest";
import { createServerDatabase } from "../support/database.ts";
import { startTestDiscord, type TestDiscord } from "../support/discord.ts";
import { hasServer } from "../support/services.ts";
import { fillDatabase, makeDataDirectory, runProgram } from "../support/program.ts";

const token = "the.token.of.this.test";

interface RefusedStart {
  what: string;
  /** Makes Discord refuse. */
  refuse: (discord: TestDiscord) => unknown;
  /** The last line that the program prints. */
  says: RegExp;
  /** Whether it may pass, so that it is tried again before. */
  passes?: boolean;
  settings?: Record<string, string>;
  /** Tried in every run of the tests. */
  brief?: boolean;
}

const starts: RefusedStart[] = [
  {
    what: "a wrong token",
    brief: true,
    refuse: (discord) => discord.rotateToken("another"),
    says: /^castellan: Discord rejected DISCORD_TOKEN\. Copy the bot's token again/,
  },
  {
    what: "session starts used up",
    refuse: ({ context }) => (context.gateway.sessionStarts = { remaining: 0, resetAfter: 3_600_000 }),
    says: /^castellan: Discord allows this bot no more connections today.* Start Castellan again at \d{4}-\d\d-\d\dT/,
  },
  {
    what: "commands refused",
    refuse: ({ faults }) =>
      faults.refuse("PUT", "/applications/:application/commands", { status: 400, code: 50035 }),
    says: /^castellan: Discord rejects what Castellan sent at startup \(PUT .*\/commands, 50035\)/,
  },
  {
    what: "commands answered 500",
    refuse: ({ faults }) => faults.refuse("PUT", "/applications/:application/commands", { status: 500 }),
    says: /^castellan: Discord cannot be reached: it answers 500$/,
    passes: true,
  },
  {
    what: "closed with 4014",
    brief: true,
    refuse: (discord) => discord.refuseIdentify(4014),
    says: /^castellan: Discord does not allow the intents .*\(gateway closed with 4014\)$/,
  },
  {
    what: "closed with 4011",
    refuse: (discord) => discord.refuseIdentify(4011),
    says: /^castellan: The bot is in too many servers for its shards\. .*\(gateway closed with 4011\)$/,
  },
  {
    what: "/gateway/bot answered 500",
    refuse: ({ faults }) => faults.refuse("GET", "/gateway/bot", { status: 500 }),
    says: /^castellan: Discord cannot be reached: it answers 500$/,
    passes: true,
  },
  {
    what: "Discord unreachable",
    brief: true,
    refuse: () => {},
    settings: { DISCORD_API: "http://127.0.0.1:9/api" },
    says: /^castellan: Discord cannot be reached: connect ECONNREFUSED 127\.0\.0\.1:9$/,
    passes: true,
  },
];

/** Without a server, one of each way: refused at once, closed for good, tried again. */
const tried = hasServer ? starts : starts.filter(({ brief }) => brief);
const engines = hasServer ? ["embedded", "PostgreSQL"] : ["embedded"];
const roles = hasServer ? ["start", "bot"] : ["start"];
const table: string[] = [];

afterAll(() => {
  process.stdout.write(
    `\nengine      role   start                       code  seconds  last line\n${table.join("\n")}\n`,
  );
});

interface Home {
  settings: Record<string, string>;
  remove: () => Promise<void>;
}

async function makeHome(engine: string): Promise<Home> {
  const { directory, remove } = await makeDataDirectory();
  if (engine === "embedded") {
    await fillDatabase(directory);
    return { settings: { DATA_DIR: directory }, remove };
  }
  const database = await createServerDatabase();
  return {
    settings: { DATA_DIR: directory, DATABASE_URL: database.url },
    remove: async () => {
      await database.drop();
      await remove();
    },
  };
}

for (const engine of engines) {
  for (const role of roles.filter((role) => engine !== "embedded" || role === "start")) {
    describe(`castellan ${role} on ${engine}`, { timeout: 240_000, concurrent: true }, () => {
      test.for(tried)("ends with its reason: $what", async (start) => {
        const [home, discord] = await Promise.all([makeHome(engine), startTestDiscord({ token })]);
        start.refuse(discord);
        const began = performance.now();
        const program = runProgram([role], {
          ...home.settings,
          NETWORK: "empty",
          DISCORD_TOKEN: token,
          DISCORD_API: discord.api,
          ...start.settings,
        });
        const code = await program.exit;
        const took = performance.now() - began;
        const lines = program.output().trimEnd().split("\n");
        const last = lines.at(-1) ?? "";
        table.push(
          [
            engine.padEnd(11),
            role.padEnd(6),
            start.what.padEnd(27),
            code,
            (took / 1000).toFixed(1),
            last,
          ].join(" "),
        );
        await Promise.all([home.remove(), discord.stop()]);
        expect(code).toBe(1);
        expect(last).toMatch(start.says);
        // What cannot pass is not tried again.
        const repeated = lines.filter((line) => /trying again in \d+ s \(\d of 5\)/.test(line));
        expect(repeated).toHaveLength(start.passes ? 4 : 0);
      });
    });
  }
}
