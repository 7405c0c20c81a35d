import { setTimeout as sleep } from "node:timers/promises";
import { allAnswered, endAll, lasting, type Fault } from "../fault.ts";
import type { Balancer, NetworkFault } from "../balancer.ts";

/** Answers the bot's requests like this for six seconds. */
const answering = (fault: Balancer["fault"]) => lasting(6, ({ balancer }) => (balancer.fault = fault));

const always = (fault: NetworkFault) => () => fault;
const refusal = (status: number, headers?: Record<string, string>): NetworkFault => ({
  status,
  body: JSON.stringify({ errors: [{ message: "Injected" }] }),
  ...(headers && { headers }),
});

export const networkFaults: readonly Fault[] = [
  {
    name: "network-503",
    injected: "the network answers 503 for 6 s",
    holds: "acknowledged actions are carried out later",
    seconds: 60,
    inject: answering(always(refusal(503))),
  },
  {
    name: "network-429",
    injected: "the network answers 429 with Retry-After: 3 for 6 s",
    holds: "acknowledged actions are carried out later",
    seconds: 60,
    inject: answering(always(refusal(429, { "retry-after": "3" }))),
  },
  {
    name: "network-hangs",
    injected: "the network accepts calls for 6 s and never answers them",
    holds: "no process ends",
    seconds: 60,
    inject: answering(always("hang")),
    without: {
      protection: "A call without a response within 10 s ends",
      patches: [
        {
          file: "src/client/exchange.ts",
          from: "setTimeout(giveUp, options.timeout)",
          to: "setTimeout(() => {}, options.timeout)",
        },
      ],
    },
  },
  {
    name: "network-slow",
    injected: "each call of the network takes 600 ms longer, for 6 s",
    holds: "every command is answered",
    seconds: 45,
    inject: answering(always({ delayMs: 600 })),
    check: allAnswered,
  },
  {
    name: "network-refuses",
    injected: "the network refuses connections for 6 s",
    holds: "acknowledged actions are carried out later",
    seconds: 60,
    inject: lasting(6, ({ balancer }) => (balancer.refuses = true)),
  },
  {
    name: "hub-fails",
    injected: "the hub answers 500 for 6 s, and everything else works",
    holds: "every command is answered, and no event is missed",
    seconds: 60,
    inject: answering(({ path }) => (path.startsWith("/v1/") ? refusal(500) : undefined)),
    check: allAnswered,
  },
  {
    name: "network-lost-answers",
    injected: "the network carries out every change for 6 s, and its answers are lost",
    holds: "nothing is done twice",
    seconds: 70,
    inject: answering(({ method }) => (method === "GET" ? undefined : "lost")),
  },
  {
    name: "webhook-hangs",
    injected: "a webhook's receiver accepts calls for 7 s and never answers them",
    holds: "posts do not wait for it, and its calls are repeated",
    seconds: 45,
    inject: lasting(7, ({ receiver }) => (receiver.answer = "hang")),
    without: {
      protection: "A webhook call without a response within 5 s ends",
      patches: [
        {
          file: "src/integrations/post-webhook.ts",
          from: "    signal: AbortSignal.timeout(timeoutMs),\n",
          to: "",
        },
      ],
    },
  },
  {
    name: "postgres-and-redis-killed",
    injected: "SIGKILL of PostgreSQL and of Redis at once",
    holds: "no process ends",
    seconds: 45,
    inject: async ({ postgres, redis }) => {
      postgres.kill();
      await redis.restartEmpty();
      await sleep(1_000);
      await postgres.restart("immediate");
    },
  },
  {
    name: "discord-away-bots-killed",
    injected: "Discord refuses connections for 6 s, and both bots are killed",
    holds: "the bots start when Discord accepts connections again",
    seconds: 60,
    mayEnd: true,
    inject: async ({ roads, of }) => {
      roads.discord.cut();
      await endAll(of("bot"), "SIGKILL");
      await sleep(6_000);
      roads.discord.fix();
    },
  },
];
