import type * as fc from "fast-check";
import { asAppError } from "../../src/errors.ts";
import type { TestNetwork } from "../support/world.ts";

/** A part of the network in plain sets and maps, written from interface.md without a look at the code. */
export interface Model<Call> {
  /** "ok", or whatever the network is to answer. */
  apply: (call: Call) => string;
  /** What public reads then show. */
  view: () => unknown;
  copy: () => Model<Call>;
  /** Everything that later answers depend on: two models with the same are the same. */
  memory: () => string;
}

/** One world of the network, fresh for each sequence. */
export interface Scene<Call> {
  model: Model<Call>;
  perform: (call: Call) => Promise<string>;
  view: () => Promise<unknown>;
}

/** What random calls are made of, and where they are made. */
export interface Subject<Call> {
  title: string;
  calls: fc.Arbitrary<Call[]>;
  /** Calls that eight callers may make at once; the same where nothing is said. */
  callsAtOnce?: fc.Arbitrary<Call[]>;
  /** `number` differs with each scene of one network. */
  prepare: (network: TestNetwork, number: number) => Promise<Scene<Call>>;
}

/** "ok", or the reason of the refusal. */
export async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "ok";
  } catch (error) {
    return String(asAppError(error)?.code ?? error);
  }
}
