import type { RESTOptions } from "discord.js";
import type { BotContext } from "../bot-context.ts";
import {
  countRefusedCalls,
  describeRefusedCalls,
  minuteOf,
  refusedCallLimits,
  storeRefusedCalls,
} from "../feed/refused-calls.ts";
import { reportCalls } from "./report-calls.ts";

type MakeRequest = RESTOptions["makeRequest"];

/** A process's knowledge of the calls that Discord refuses. */
export interface Refusals {
  /** Sends requests unchanged, counts the refused ones, and reports the others. */
  watch(makeRequest: MakeRequest): MakeRequest;
  /** Milliseconds until a background call may be made; 0 for now, and then it counts as made. */
  reserve(): number;
  /** Refused calls of all processes within ten minutes, as far as known. */
  count(): number;
  close(): Promise<void>;
}

/** Maximum age of the knowledge about other processes: while few calls are refused, and while many are. Milliseconds. */
const freshness = { usual: 30_000, slowed: 5_000 };
const storeAfter = 2_000;
/** Milliseconds between two calls while they are slowed down, and between checks while they are stopped. */
const slowPause = 1_000;
const stoppedPause = 30_000;

/** Counts Discord's 401, 403 and 429 responses, together with the other processes on the database. */
export function countRefusals(context: Pick<BotContext, "database" | "clock" | "log">): Refusals {
  const { clock, log } = context;
  /** By UNIX minute: counted here, but not stored yet. */
  let fresh = new Map<number, number>();
  let stored = 0;
  let readAt = clock.monotonic();
  let nextCallAt = 0;
  let told: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();

  const count = () => [...fresh.values()].reduce((sum, calls) => sum + calls, stored);

  async function synchronize(): Promise<void> {
    const batch = fresh;
    try {
      if (batch.size > 0) {
        await storeRefusedCalls(context, batch);
        fresh = subtract(fresh, batch);
      }
      stored = await countRefusedCalls(context);
      readAt = clock.monotonic();
    } catch (error) {
      log.warn({ err: error }, "refused calls are counted in this process alone for now");
    }
    report();
  }

  function report(): void {
    const words = describeRefusedCalls(count());
    const level = words?.replace(/\d+/, "");
    if (words !== undefined && level !== told) log.error({ refused: count() }, words);
    told = level;
  }

  function note(): void {
    const minute = minuteOf(context);
    fresh = new Map([...fresh, [minute, (fresh.get(minute) ?? 0) + 1]]);
    schedule();
  }

  function schedule(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      running = running.then(synchronize);
    }, storeAfter).unref();
  }

  return {
    count,
    watch(makeRequest) {
      const send = reportCalls(makeRequest);
      return async (url, init) => {
        const response = await send(url, init);
        if (isCounted(response)) note();
        return response;
      };
    },
    reserve() {
      const calls = count();
      const age = clock.monotonic() - readAt;
      if (age > (calls < refusedCallLimits.slowed ? freshness.usual : freshness.slowed)) schedule();
      if (calls < refusedCallLimits.slowed) return 0;
      if (calls >= refusedCallLimits.stopped) return stoppedPause;
      const wait = nextCallAt - clock.monotonic();
      if (wait > 0) return wait;
      nextCallAt = clock.monotonic() + slowPause;
      return 0;
    },
    async close() {
      clearTimeout(timer);
      await running;
      if (fresh.size > 0) await synchronize();
    },
  };
}

/** A shared limit does not count as a refused call. */
function isCounted({
  status,
  headers,
}: {
  status: number;
  headers: { get(name: string): string | null };
}): boolean {
  if (status === 429) return headers.get("x-ratelimit-scope") !== "shared";
  return status === 401 || status === 403;
}

function subtract(
  counts: ReadonlyMap<number, number>,
  done: ReadonlyMap<number, number>,
): Map<number, number> {
  const left = [...counts].map(([minute, calls]): [number, number] => [
    minute,
    calls - (done.get(minute) ?? 0),
  ]);
  return new Map(left.filter(([, calls]) => calls > 0));
}
