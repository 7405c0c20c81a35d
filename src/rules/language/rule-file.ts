import { z } from "zod";
import { suggest } from "../../text/suggest.ts";
import { actionKinds } from "../actions/action-kinds.ts";
import type { PlannedAction } from "../actions/action.ts";
import { ruleEvents, type RuleEvent } from "../evaluate/occurrence.ts";
import { channelGroups } from "../facts/channel-names.ts";
import { conditionTree } from "./condition-tree.ts";
import { durationBetween, type Duration } from "./duration.ts";
import { clip, explainIssue, listFaults } from "./explain-issue.ts";
import { listLimits, RuleList, type RuleLists } from "./rule-list.ts";

const fileLimits = { rules: 500, events: 20, actions: 4 } as const;

export const Mode = z.enum(["off", "shadow", "review", "enforce"]);
export type Mode = z.infer<typeof Mode>;

/** What happens if a rule's result is unknown. */
export const OnUnknown = z.enum(["skip", "review", "defer"]);
export type OnUnknown = z.infer<typeof OnUnknown>;

export const Exemption = z.enum(["owner", "moderators"]);
export type Exemption = z.infer<typeof Exemption>;

const listName = /^[a-z0-9][a-z0-9_-]{0,39}$/;
const reserved = new Set<string>(channelGroups);
export const ListName = z
  .string()
  .regex(listName, "must be 1 to 40 of a-z, 0-9, _ and -")
  .refine((name) => !reserved.has(name), "is a reserved word: give the list another name");

/** The parts of a rule file except its rules, which are parsed one by one. */
export const RuleFile = z.strictObject({
  version: z.literal(1),
  defaults: z
    .strictObject({
      mode: Mode.default("shadow"),
      exempt: z.array(Exemption).max(2).default(["owner", "moderators"]),
    })
    .prefault({}),
  lists: z
    .record(ListName, RuleList)
    .refine(
      (lists) => Object.keys(lists).length <= listLimits.lists,
      `has more than ${listLimits.lists} lists`,
    )
    .default({}),
  rules: z.array(z.unknown()).max(fileLimits.rules),
});

/** How often a rule may act. */
export const Limits = z
  .strictObject({
    cooldown: z
      .strictObject({ per: z.enum(["author", "channel", "rule"]), for: durationBetween("1s", "30d") })
      .optional(),
    breaker: z
      .strictObject({
        max: z.int().min(1).max(10_000),
        per: durationBetween("1m", "7d"),
        then: z.enum(["review", "shadow", "off"]).default("review"),
      })
      .optional(),
  })
  .prefault({});
export type Limits = z.output<typeof Limits>;
export type Cooldown = NonNullable<Limits["cooldown"]>;
export type Breaker = NonNullable<Limits["breaker"]>;

/** What a rule listens to: a kind of event, or a timer, which fires in each linked channel. */
interface EventItem {
  event: RuleEvent;
  every?: Duration;
}

const EventName = z.enum(ruleEvents).exclude(["timer.fired"]);
const Timer = z.strictObject({ timer: z.strictObject({ every: durationBetween("10m", "30d") }) });

/** As written: "cast.created", or {timer: {every: 1d}}. */
export const EventItemInput = z.union([EventName, Timer]);

const EventItem = z.unknown().transform((value, context): EventItem => {
  // Not EventItemInput, because a union's error explains neither the timer's nor the name's mistake.
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

const actionNames = actionKinds.map((kind) => kind.name);

/** One entry of `then`: a map with the action's name and parameters. */
export const ActionItem = z.unknown().transform((value, context): PlannedAction & { name: string } => {
  const refuse = (message: string, path: PropertyKey[] = [], at?: "key") => {
    context.issues.push({ code: "custom", message, path, input: value, params: { at } });
    return z.NEVER;
  };
  const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
  const [entry, ...others] = isMap ? Object.entries(value) : [];
  if (!entry || others.length > 0)
    return refuse("must be one action, such as {hide: {}} or {ban: {for: 7d}}");
  const [name, parameters] = entry;
  const kind = actionKinds.find((kind) => kind.name === name);
  if (!kind) return refuse(`unknown action "${clip(name)}"${suggest(name, actionNames)}`, [name], "key");
  const parsed = kind.schema.safeParse(parameters, { error: explainIssue });
  if (parsed.success) return { name, ...parsed.data };
  for (const fault of listFaults(parsed.error)) refuse(fault.message, [name, ...fault.path], fault.at);
  return z.NEVER;
});

export const ruleId = /^[a-z0-9][a-z0-9-]{0,39}$/;
const channelGlob = /^[0-9a-z*][0-9a-z*-]{0,31}$/;

/** One rule; `mode` defaults to the file's, and `when` is optional if the rule has only timers. */
export const ruleEntry = (lists: RuleLists) =>
  z.strictObject({
    id: z.string().regex(ruleId, "must be 1 to 40 of a-z, 0-9 and -"),
    priority: z.int().min(-1000).max(1000).default(0),
    mode: Mode.optional(),
    channels: z
      .array(z.string().regex(channelGlob, 'must be a channel id, with * for any characters: "art-*"'))
      .min(1)
      .max(100)
      .optional(),
    on: z.array(EventItem).min(1).max(fileLimits.events),
    when: conditionTree(lists).optional(),
    then: z.array(ActionItem).min(1).max(fileLimits.actions),
    stop: z.boolean().default(false),
    limits: Limits,
    on_unknown: OnUnknown.default("skip"),
  });
export type RuleEntry = z.infer<ReturnType<typeof ruleEntry>>;
