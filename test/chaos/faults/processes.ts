import { setTimeout as sleep } from "node:timers/promises";
import { feedRoom } from "../../crash/evidence.ts";
import { openWrongClock } from "../../crash/wrong-clock.ts";
import {
  allAnswered,
  allButAnswered,
  endAll,
  lasting,
  pick,
  untilReady,
  waitFor,
  type Fault,
} from "../fault.ts";
import type { Fleet } from "../fleet.ts";
import type { Member } from "../members.ts";

/** A worker whose transaction waits for a lock, with a function that releases the lock. */
async function catchInTransaction(fleet: Fleet): Promise<{ worker: Member; release: () => Promise<void> }> {
  const client = await fleet.postgres.connect(fleet.database);
  await client.query("begin");
  await client.query("lock table castellan.room_queues in exclusive mode");
  const worker = await waitFor("a worker waits for the lock", async () => {
    const waiting = await fleet.postgres.query(
      `select split_part(application_name, ' ', 2)::int as pid from pg_stat_activity
       where wait_event_type = 'Lock' and application_name like 'castellan %'`,
    );
    return fleet.of("worker").find((member) => waiting.some(({ pid }) => pid === member.pid()));
  });
  return { worker, release: () => client.end() };
}

/** The one whose turn it is to answer. */
function findActiveBot({ of }: Fleet): Promise<Member> {
  return waitFor("a bot answers", async () => {
    for (const bot of of("bot")) {
      const answer = await fetch(`${bot.origin}/readycheck`).then((response) => response.text(), String);
      if (answer.includes('"gateway":"active"')) return bot;
    }
    return undefined;
  });
}

/** Kills members at the moment when Discord has done one of their requests, before they hear of it. */
async function killAtRequest(fleet: Fleet, victims: readonly Member[], path: RegExp): Promise<void> {
  await new Promise<void>((resolve) => {
    const stop = fleet.discord.exchanged.listen((exchange) => {
      if (exchange.method !== "POST" || !path.test(exchange.path) || exchange.answer.status >= 300) return;
      stop();
      resolve(endAll(victims, "SIGKILL"));
    });
  });
}

const neverTakesOver = {
  protection: "An expired lease is free again",
  patches: [
    {
      file: "src/database/lease.ts",
      from: "leased_until_ms <= ${clock.now()})`",
      to: "leased_until_ms <= 0)`",
    },
  ],
};

export const processFaults: readonly Fault[] = [
  {
    name: "api-killed",
    injected: "SIGKILL of one api",
    holds: "commands are answered meanwhile",
    seconds: 20,
    inject: ({ of }) => pick(of("api")).end("SIGKILL"),
    check: allAnswered,
  },
  {
    name: "apis-killed",
    injected: "SIGKILL of both api",
    holds: "calls that were under way are repeated once",
    seconds: 25,
    inject: ({ of }) => endAll(of("api"), "SIGKILL"),
  },
  {
    name: "bot-killed",
    injected: "SIGKILL of one bot",
    holds: "the other bot answers",
    seconds: 20,
    inject: lasting(3, ({ of }) => pick(of("bot")).end("SIGKILL")),
    // A command that it had acknowledged stays at "thinking".
    check: allButAnswered(1),
  },
  {
    name: "bots-killed-answering",
    injected: "SIGKILL of both bots when Discord has accepted an acknowledgement",
    holds: "the command is carried out once or not at all",
    seconds: 25,
    inject: (fleet) => killAtRequest(fleet, fleet.of("bot"), /^\/interactions\/\d+\/[^/]+\/callback$/),
  },
  {
    name: "worker-killed",
    injected: "SIGKILL of one worker",
    holds: "the others take over its work",
    seconds: 60,
    inject: ({ of }) => pick(of("worker")).end("SIGKILL"),
  },
  {
    name: "workers-killed",
    injected: "SIGKILL of all three workers, three times, the last two while they start",
    holds: "work left behind is done",
    seconds: 70,
    inject: async ({ of }) => {
      for (const wait of [2_000, 2_500, 0]) {
        await endAll(of("worker"), "SIGKILL");
        await sleep(wait);
      }
    },
  },
  {
    name: "workers-killed-posting",
    injected: "SIGKILL of all workers when Discord has accepted a post and they have not heard of it",
    holds: "the post is found, not repeated",
    seconds: 70,
    inject: (fleet) =>
      killAtRequest(fleet, fleet.of("worker"), new RegExp(`^/channels/${feedRoom}/messages$`)),
    without: {
      protection: "A bound message is looked up in the room, and has a nonce",
      patches: [
        {
          file: "src/feed/deliver/deliver.ts",
          from: "message.uncertain ? await findInRoom({ ...context, rooms }, message) : undefined",
          to: "undefined",
        },
        { file: "src/discord/rooms.ts", from: ", nonce: message.nonce, enforce_nonce: true", to: "" },
      ],
    },
  },
  {
    name: "killed-acting",
    injected:
      "SIGKILL of bots and workers when the network has carried out a call and they have not heard of it",
    holds: "the call is not repeated, and its case is settled",
    seconds: 100,
    inject: async (fleet) => {
      await new Promise<void>((resolve) => {
        fleet.balancer.handled = ({ method, path }) => {
          if (method === "GET" || !path.startsWith("/fc/")) return;
          fleet.balancer.handled = () => {};
          resolve(endAll([...fleet.of("worker"), ...fleet.of("bot")], "SIGKILL"));
        };
      });
    },
    without: neverTakesOver,
  },
  {
    name: "worker-killed-in-transaction",
    injected: "SIGKILL of a worker in a transaction",
    holds: "PostgreSQL rolls it back, and others repeat it",
    seconds: 60,
    inject: async (fleet) => {
      const { worker, release } = await catchInTransaction(fleet);
      await worker.end("SIGKILL");
      await release();
    },
  },
  {
    name: "worker-hangs-in-transaction",
    injected:
      "SIGSTOP of a worker in a transaction that holds locks; it hangs until the others have recovered",
    holds: "PostgreSQL ends the transaction, and the others continue",
    seconds: 60,
    inject: async (fleet) => {
      const { worker, release } = await catchInTransaction(fleet);
      const resume = worker.suspend();
      await release();
      return resume;
    },
  },
  {
    name: "api-hangs",
    injected: "SIGSTOP of one api; it hangs until everything else has recovered",
    holds: "calls go to the other",
    seconds: 45,
    inject: async ({ of }) => pick(of("api"), 1).suspend(),
  },
  {
    name: "bot-hangs",
    injected: "SIGSTOP of the bot that answers, for 8 s",
    holds: "the other answers every command except those under way",
    seconds: 20,
    inject: async (fleet) => {
      const resume = (await findActiveBot(fleet)).suspend();
      await sleep(8_000);
      resume();
    },
    check: allButAnswered(2),
    without: {
      protection: "A standby answers what the other bot leaves unanswered",
      patches: [
        {
          file: "src/discord/dispatch.ts",
          from: "if (others > 0) await sleep(others);",
          to: "if (others > 0) return;",
        },
      ],
    },
  },
  {
    name: "worker-hangs",
    injected: "SIGSTOP of one worker; it hangs until the others have recovered",
    holds: "they take over its rooms and runs, and it does nothing again when it continues",
    seconds: 60,
    inject: async ({ of }) => pick(of("worker"), 1).suspend(),
  },
  {
    name: "workers-hang",
    injected: "SIGSTOP of all workers for 10 s",
    holds: "no process ends",
    seconds: 30,
    inject: async ({ of }) => {
      const resumes = of("worker").map((worker) => worker.suspend());
      await sleep(10_000);
      for (const resume of resumes) resume();
    },
  },
  {
    name: "rolling-restart",
    injected: "SIGTERM of each process, one after the other",
    holds: "every command is answered",
    seconds: 20,
    inject: async ({ members }) => {
      for (const member of members) {
        await member.end("SIGTERM");
        await untilReady([member]);
      }
    },
    check: allAnswered,
  },
  {
    name: "all-killed",
    injected: "SIGKILL of all seven processes",
    holds: "everything continues where it was",
    seconds: 70,
    inject: ({ members }) => endAll(members, "SIGKILL"),
  },
  {
    name: "clock-jumps",
    injected: "one worker starts with its clock 2 minutes ahead, which is then set 2 minutes back",
    holds: "Castellan's own actions are not taken for others', and nothing is posted twice",
    seconds: 70,
    inject: async ({ of, directory }) => {
      const clock = await openWrongClock(directory, 120);
      const worker = pick(of("worker"), 2);
      worker.extra = clock.environment;
      await worker.end("SIGKILL");
      await untilReady([worker]);
      await sleep(5_000);
      await clock.set(-120);
      await sleep(5_000);
      worker.extra = {};
      await worker.end("SIGKILL");
    },
  },
  {
    name: "no-such-host",
    injected: "a worker starts with a DATABASE_URL whose name does not resolve, for 6 s",
    holds: "the others do its work, and it starts when the name resolves",
    seconds: 60,
    mayEnd: true,
    inject: async ({ of }) => {
      const worker = pick(of("worker"));
      worker.extra = { DATABASE_URL: "postgres://postgres@database.invalid/chaos" };
      await worker.end("SIGKILL");
      await sleep(6_000);
      worker.extra = {};
    },
  },
];
