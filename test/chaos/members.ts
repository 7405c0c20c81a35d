import { setTimeout as sleep } from "node:timers/promises";
import { startCastellan, type CastellanProcess } from "../support/program.ts";
import { findPort } from "../support/services.ts";

export type Role = "api" | "bot" | "worker";

/** A process of the fleet, which its supervisor starts again a second after it has ended. */
export interface Member {
  name: string;
  role: Role;
  origin: string;
  pid(): number;
  /** Suspended on purpose: its readiness does not count. */
  isAway: boolean;
  /** Environment of the next start. */
  extra: Record<string, string>;
  /** SIGKILL or SIGTERM. Returns when the process has ended; its supervisor starts it again. */
  end(signal: "SIGKILL" | "SIGTERM"): Promise<void>;
  /** SIGSTOP; returns a function that continues it. */
  suspend(): () => void;
  /** Undefined if it is ready; otherwise its reason. */
  readTrouble(): Promise<string | undefined>;
  /** Ends it permanently, and returns its exit code. */
  stop(): Promise<number | null>;
}

const restartAfterMs = 1_000;
const checkTimeoutMs = 3_000;
const startTimeoutMs = 120_000;

/** Returns when it is up. `onEnd` gets each unexpected end, with the last lines of its output. */
export async function startMember(
  name: string,
  role: Role,
  settings: Record<string, string>,
  onEnd: (end: string) => void,
): Promise<Member> {
  const port = await findPort();
  let running: CastellanProcess;
  let isWanted = true;
  let isExpected = false;
  const launch = () => {
    isExpected = false;
    const launched = startCastellan(role, { ...settings, ...member.extra, PORT: String(port) });
    running = launched;
    void launched.exited.then(async () => {
      if (!isExpected) onEnd(`${name}: ${launched.output().split("\n").slice(-3).join(" ")}`);
      await sleep(restartAfterMs);
      if (isWanted) launch();
    });
  };
  const member: Member = {
    name,
    role,
    origin: `http://127.0.0.1:${port}`,
    pid: () => running.pid,
    isAway: false,
    extra: {},
    async end(signal) {
      isExpected = true;
      const ending = running;
      ending.signal(signal);
      await ending.exited;
    },
    suspend() {
      const suspended = running;
      member.isAway = true;
      suspended.signal("SIGSTOP");
      return () => {
        suspended.signal("SIGCONT");
        member.isAway = false;
      };
    },
    async readTrouble() {
      try {
        const signal = AbortSignal.timeout(checkTimeoutMs);
        const answer = await fetch(`${member.origin}/readycheck`, { signal });
        return answer.ok ? undefined : await answer.text();
      } catch (error) {
        return String(error);
      }
    },
    async stop() {
      isWanted = false;
      isExpected = true;
      running.signal("SIGCONT");
      return running.stop();
    },
  };
  launch();
  for (const end = performance.now() + startTimeoutMs; (await member.readTrouble()) !== undefined;) {
    if (performance.now() > end) throw new Error(`${name} did not start`);
    await sleep(200);
  }
  return member;
}
