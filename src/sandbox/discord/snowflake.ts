import type { Clock } from "../../clock.ts";

const discordEpoch = 1_420_070_400_000n;

/** Makes the next id, larger than every earlier one, also across restarts. */
export type Snowflakes = () => string;

/**
 * Discord's ids: milliseconds, ten bits for the process, twelve bits for a counter. The process bits contain the
 * number of the start, so that an id that was issued but not stored (an interaction's) never repeats.
 */
export function createSnowflakes(clock: Clock, boot: number, largest: string): Snowflakes {
  const machine = BigInt(boot % 1024) << 12n;
  let moment = BigInt(largest) >> 22n;
  let counter = 4095n;
  return () => {
    const now = BigInt(clock.now()) - discordEpoch;
    if (now > moment) [moment, counter] = [now, 0n];
    else if (counter === 4095n) [moment, counter] = [moment + 1n, 0n];
    else counter += 1n;
    return String((moment << 22n) | machine | counter);
  };
}

/** Compares ids as numbers without creating BigInts. */
export function compareIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

export function isSnowflake(text: string): boolean {
  return /^\d{1,20}$/.test(text);
}

/** Discord's error for a value that should be an id. */
export function notSnowflake(text: string): { code: string; message: string } {
  return { code: "NUMBER_TYPE_COERCE", message: `Value "${text}" is not snowflake.` };
}
