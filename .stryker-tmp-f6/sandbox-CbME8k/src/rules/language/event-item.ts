// @ts-nocheck
import { z } from "zod";
import { durationBetween, type Duration } from "./duration.ts";
import { ruleEvents, type RuleEvent } from "../evaluate/occurrence.ts";
import { explainIssue, listFaults } from "./explain-issue.ts";

/** What a rule listens to; a timer fires in every so long, in each linked channel. */
export interface EventItem {
  event: RuleEvent;
  every?: Duration;
}

const EventName = z.enum(ruleEvents).exclude(["timer.fired"]);
const Timer = z.strictObject({ timer: z.strictObject({ every: durationBetween("10m", "30d") }) });

/** As it is written: "cast.created", or {timer: {every: 1d}}. */
export const EventItemInput = z.union([EventName, Timer]);

export const EventItem = z.unknown().transform((value, context): EventItem => {
  // Not left to the union, whose mistake would say neither what is wrong with the timer nor with the name.
  const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
  const timer = isMap ? Timer.safeParse(value, { error: explainIssue }) : undefined;
  if (timer?.success) return { event: "timer.fired", every: timer.data.timer.every };
  const name = isMap ? undefined : EventName.safeParse(value, { error: explainIssue });
  if (name?.success) return { event: name.data };
  const error = timer?.error ?? name?.error;
  for (const { message, path, at } of error ? listFaults(error) : []) {
    const hint =
      value === "timer.fired" ? "a timer is written with its interval: {timer: {every: 1d}}" : message;
    context.issues.push({ code: "custom", message: hint, path, input: value, params: { at } });
  }
  return z.NEVER;
});
