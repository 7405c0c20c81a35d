import type { Fault } from "../fault.ts";
import { discordFaults } from "./discord.ts";
import { networkFaults } from "./network.ts";
import { postgresFaults } from "./postgres.ts";
import { processFaults } from "./processes.ts";
import { redisFaults } from "./redis.ts";

const faults: readonly Fault[] = [
  ...processFaults,
  ...postgresFaults,
  ...redisFaults,
  ...discordFaults,
  ...networkFaults,
];

/** All of them, or those whose names are given, separated by commas. */
export function findFaults(only?: string): readonly Fault[] {
  if (only === undefined) return faults;
  return only.split(",").map((name) => {
    const fault = faults.find((one) => one.name === name);
    if (!fault) throw new Error(`there is no fault ${name}`);
    return fault;
  });
}
