import { channel } from "node:diagnostics_channel";

/**
 * Reports on channels of `node:diagnostics_channel`: src/metrics subscribes to them, and a tracer can. Without subscribers
 * a report costs next to nothing. Each text is one of a small fixed set: none names a server, a room or a person.
 */
export interface Reports {
  /** Discord has received our first response to an interaction, which it awaits for three seconds. */
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
  /** A task in the threads that run rules. */
  "castellan:rules.ran": { task: string; result: "done" | "failed"; seconds: number };
  "castellan:case.settled": { kind: string; state: string; outcome: string };
  /** The result of one attempt to post a message to a feed. */
  "castellan:feed.posted": { result: string };
  "castellan:outbox.settled": { kind: string; result: string };
}

export type CallResult = "ok" | "refused" | "rate_limited" | "failed" | "unreachable" | "given_up";

export function report<Name extends keyof Reports>(name: Name, reported: Reports[Name]): void {
  channel(name).publish(reported);
}
