import { channel } from "node:diagnostics_channel";

/**
 * What is reported where it happens, on channels of `node:diagnostics_channel`: src/metrics subscribes to them, and so may a
 * tracer. While nobody does, a report costs next to nothing. Each text is one of a small set that the code knows: none names a
 * server, a room or a person.
 */
export interface Reports {
  /** Discord has our first answer to an interaction: it waits three seconds for it. */
  "castellan:interaction.acknowledged": { command: string; seconds: number };
  "castellan:interaction.answered": {
    command: string;
    result: "ok" | "refused" | "failed" | "unacknowledged";
    seconds: number;
  };
  "castellan:http.answered": { server: string; method: string; route: string; code: number; seconds: number };
  /** One attempt of a call to the client API, the registry or a hub. */
  "castellan:network.called": { upstream: string; route: string; result: CallResult; seconds: number };
  "castellan:discord.called": { route: string; code: string; seconds: number };
  "castellan:job.ended": { worker: string; result: "done" | "failed"; seconds: number };
  /** A task of the threads in which rules run. */
  "castellan:rules.ran": { task: string; result: "done" | "failed"; seconds: number };
  "castellan:case.settled": { kind: string; state: string; outcome: string };
  /** What became of one attempt to post a message of a feed. */
  "castellan:feed.posted": { result: string };
  "castellan:outbox.settled": { kind: string; result: string };
}

export type CallResult = "ok" | "refused" | "rate_limited" | "failed" | "unreachable" | "given_up";

export function report<Name extends keyof Reports>(name: Name, reported: Reports[Name]): void {
  channel(name).publish(reported);
}
