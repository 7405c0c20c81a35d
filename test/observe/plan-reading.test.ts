import { expect, it } from "vitest";
import { routesOfChannel, usualLimits } from "../../src/observe/live/call-limits.ts";
import { needsAnotherAccount, planReading } from "../../src/observe/live/plan-reading.ts";

const planOf = (channels: number, byEvents: boolean) => {
  // The record of each channel is read once an hour to verify its link.
  const takenOf = (route: string) => (route === routesOfChannel[0] ? channels : 0);
  return planReading(usualLimits, { channels, activeChannels: 0, byEvents, takenOf });
};

it.each([
  { byEvents: true, fits: 285, isTooMuch: 295 },
  { byEvents: false, fits: 235, isTooMuch: 245 },
])("one account suffices for as many channels as docs/operate says: $fits ($byEvents)", (row) => {
  expect(needsAnotherAccount(planOf(row.fits, row.byEvents))).toBe(false);
  expect(needsAnotherAccount(planOf(row.isTooMuch, row.byEvents))).toBe(true);
});
