import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { allAnswered, allButAnswered, endAll, lasting, pick, saidNotReady, type Fault } from "../fault.ts";
import type { Fleet } from "../fleet.ts";

const cut = ({ roads }: Fleet) => [...roads.postgres.values()].forEach((road) => road.cut());

/** Opens connections until PostgreSQL has none left, and takes each that others give up. */
async function takeAllConnections({ postgres }: Fleet, ms: number): Promise<void> {
  const taken: Client[] = [];
  for (const end = performance.now() + ms; performance.now() < end;) {
    const client = await postgres.connect().catch(() => undefined);
    if (client) taken.push(client);
    else await sleep(100);
  }
  await Promise.all(taken.map((client) => client.end().catch(() => {})));
}

/** Runs a statement of its administrator again and again for so many milliseconds. */
async function repeat({ postgres, database }: Fleet, statement: string, ms: number): Promise<void> {
  for (const end = performance.now() + ms; performance.now() < end; await sleep(100)) {
    await postgres.query(statement, database);
  }
}

export const postgresFaults: readonly Fault[] = [
  {
    name: "postgres-restarted",
    injected: "PostgreSQL is restarted (fast)",
    holds: "no process ends",
    seconds: 25,
    inject: ({ postgres }) => postgres.restart("fast"),
  },
  {
    name: "postgres-killed",
    injected: "SIGKILL of PostgreSQL's first process, and its recovery 3 s later",
    holds: "no process ends",
    seconds: 30,
    inject: async ({ postgres }) => {
      postgres.kill();
      await sleep(3_000);
      await postgres.restart("immediate");
    },
  },
  {
    name: "postgres-away",
    injected: "PostgreSQL refuses connections for 7 s",
    holds: "readiness says so, and no process ends",
    seconds: 30,
    inject: lasting(7, cut),
    check: saidNotReady(/database/),
  },
  {
    name: "postgres-suspended",
    injected: "SIGSTOP of all processes of PostgreSQL for 6 s",
    holds: "readiness says so, and no process ends",
    seconds: 30,
    inject: async ({ postgres }) => {
      const resume = postgres.suspend();
      await sleep(6_000);
      resume();
    },
    check: saidNotReady(/database/),
  },
  {
    name: "postgres-silent",
    injected: "every connection to PostgreSQL falls silent without an end; new ones are served",
    holds: "no process ends",
    seconds: 50,
    inject: async ({ roads }) => [...roads.postgres.values()].forEach((road) => road.silence()),
    without: {
      protection: "A statement without a response within 20 s fails, and its connection is closed",
      patches: [{ file: "src/database/connect.ts", from: "    query_timeout: timeouts.answer,\n", to: "" }],
    },
  },
  {
    name: "postgres-one-bot",
    injected: "the bot that has run longest loses PostgreSQL for 6 s",
    holds: "the other bot answers every command except those under way",
    seconds: 20,
    inject: lasting(6, ({ roads, of }) => roads.postgres.get(pick(of("bot")))?.cut()),
    check: allButAnswered(2),
  },
  {
    name: "postgres-read-only",
    injected: "PostgreSQL accepts no changes for 6 s (default_transaction_read_only)",
    holds: "readiness says so, and nothing is lost",
    seconds: 30,
    inject: async ({ postgres }) => {
      await postgres.query("alter system set default_transaction_read_only = on");
      await postgres.query("select pg_reload_conf()");
      await sleep(6_000);
      await postgres.query("alter system reset default_transaction_read_only");
      await postgres.query("select pg_reload_conf()");
    },
    check: saidNotReady(/read-only/),
    without: {
      protection: "Readiness asks whether PostgreSQL accepts changes",
      patches: [
        {
          file: "src/start/health.ts",
          from: 'if (engine === "embedded" || !rows[0]?.isReadOnly) return undefined;',
          to: 'if (engine === "embedded" || !rows[0]?.isReadOnly || engine === "server") return undefined;',
        },
      ],
    },
  },
  {
    name: "postgres-terminates",
    injected: "pg_terminate_backend of all connections, again and again for 5 s",
    holds: "no process ends",
    seconds: 30,
    inject: (fleet) =>
      repeat(
        fleet,
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'castellan %'`,
        5_000,
      ),
    without: {
      protection: "A dropped idle connection is replaced",
      patches: [
        { file: "src/database/pool.ts", from: '  pool.on("error", () => {});\n', to: "" },
        { file: "src/database/pool.ts", from: '  client.on("error", () => {});\n', to: "" },
      ],
    },
  },
  {
    name: "postgres-connections",
    injected: "all connections of PostgreSQL are taken for 7 s, and a worker and a bot are killed",
    holds: "processes that start wait for connections",
    seconds: 45,
    inject: async (fleet) => {
      const taking = takeAllConnections(fleet, 7_000);
      await sleep(2_000);
      await endAll([pick(fleet.of("worker")), pick(fleet.of("bot"))], "SIGKILL");
      await taking;
    },
  },
  {
    name: "postgres-locked",
    injected: "a table of queues is locked for 18 s, longer than a statement may take",
    holds: "no process ends, and nothing is lost",
    seconds: 45,
    inject: async ({ postgres, database }) => {
      const client = await postgres.connect(database);
      await client.query(
        "begin; lock table castellan.room_queues, castellan.events in access exclusive mode",
      );
      await sleep(18_000);
      await client.end();
    },
  },
  {
    name: "postgres-slow",
    injected: "each statement takes 100 ms longer, for 6 s",
    holds: "every command is answered",
    seconds: 30,
    inject: lasting(6, ({ roads }) => [...roads.postgres.values()].forEach((road) => road.slow(50))),
    check: allAnswered,
  },
  {
    name: "disk-full",
    injected: "the disk of the bot's database is full for 6 s",
    holds: "no process ends, and nothing is lost",
    seconds: 30,
    inject: async ({ disk }) => {
      const free = await disk.fill();
      await sleep(6_000);
      await free();
    },
  },
  {
    name: "postgres-away-at-start",
    injected: "PostgreSQL refuses connections for 6 s, and a bot and a worker are killed",
    holds: "they start when it accepts connections again",
    seconds: 40,
    mayEnd: true,
    inject: async (fleet) => {
      cut(fleet);
      await endAll([pick(fleet.of("worker")), pick(fleet.of("bot"))], "SIGKILL");
      await sleep(6_000);
      fleet.fix();
    },
  },
];
