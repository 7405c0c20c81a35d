import { setTimeout as sleep } from "node:timers/promises";
import type { Replacement } from "../support/broken-copy.ts";
import type { Fleet } from "./fleet.ts";
import type { Member } from "./members.ts";

/** Observations from the fault until the recovery. */
export interface Seen {
  /** A harmless command, typed every 0.7 s during the fault. */
  commands: { typed: number; failed: string[] };
  /** All reasons that processes gave for not being ready. */
  notReady: string[];
  /** Processes that ended unexpectedly. */
  ends: string[];
}

/** A fault that is injected under load. Its row is green if everything that must hold does. */
export interface Fault {
  name: string;
  injected: string;
  /** A requirement in addition to those after every fault. */
  holds: string;
  /** Within how many seconds after the fault everything must work again. */
  seconds: number;
  /** Returns when the fault is over. If it lasts while the fleet recovers, it returns a function that ends it. */
  inject: (fleet: Fleet) => Promise<unknown>;
  /** Violations of `holds`. */
  check?: (seen: Seen, fleet: Fleet) => string[];
  /** Processes may end, for example if they cannot reach the database at their start. */
  mayEnd?: boolean;
  /** The protection that this row proves: without it, the row must be red. */
  without?: { protection: string; patches: readonly Replacement[] };
}

/** Every command typed during the fault must have been answered. */
export function allAnswered({ commands }: Seen): string[] {
  const { typed, failed } = commands;
  return failed.length === 0 ? [] : [`${failed.length} of ${typed} commands failed: ${failed[0]}`];
}

/** Some process must have given this reason in `/readycheck`. */
export function saidNotReady(expected: RegExp): NonNullable<Fault["check"]> {
  return ({ notReady }) =>
    notReady.some((one) => expected.test(one)) ? [] : [`no process was not ready because of ${expected}`];
}

/** Begins something, and ends it after so many seconds: by removing all faults that can be removed, unless said otherwise. */
export function lasting(
  seconds: number,
  begin: (fleet: Fleet) => unknown,
  end: (fleet: Fleet) => unknown = (fleet) => fleet.fix(),
): Fault["inject"] {
  return async (fleet) => {
    await begin(fleet);
    await sleep(seconds * 1000);
    await end(fleet);
  };
}

/** As many commands may fail as a process was answering. */
export function allButAnswered(few: number): NonNullable<Fault["check"]> {
  return ({ commands: { failed } }) =>
    failed.length <= few ? [] : [`${failed.length} commands failed: ${failed[0]}`];
}

export async function waitFor<T>(what: string, look: () => Promise<T | undefined> | T | undefined) {
  for (const end = performance.now() + 60_000; performance.now() < end; await sleep(20)) {
    const found = await look();
    if (found !== undefined) return found;
  }
  throw new Error(`${what}: not within a minute`);
}

export async function endAll(members: readonly Member[], signal: "SIGKILL" | "SIGTERM"): Promise<void> {
  await Promise.all(members.map((member) => member.end(signal)));
}

export function pick(members: readonly Member[], index = 0): Member {
  const member = members[index];
  if (!member) throw new RangeError(`there is no member ${index}`);
  return member;
}

export async function untilReady(members: readonly Member[]): Promise<void> {
  for (const member of members) {
    await waitFor(`${member.name} is ready`, async () =>
      (await member.readTrouble()) === undefined ? true : undefined,
    );
  }
}
