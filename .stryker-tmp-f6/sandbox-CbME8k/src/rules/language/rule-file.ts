// @ts-nocheck
import { z } from "zod";
import { channelGroups } from "../facts/channel-names.ts";
import { Limits } from "../limits/limits.ts";
import { ActionItem } from "./action-item.ts";
import { listLimits, RuleList } from "./rule-list.ts";
import { conditionTree, type RuleLists } from "./condition-tree.ts";
import { EventItem } from "./event-item.ts";

export const fileLimits = { rules: 500, events: 20, actions: 4 } as const;

export const Mode = z.enum(["off", "shadow", "review", "enforce"]);
export type Mode = z.infer<typeof Mode>;

/** What becomes of a rule that cannot tell whether it applies. */
export const OnUnknown = z.enum(["skip", "review", "defer"]);
export type OnUnknown = z.infer<typeof OnUnknown>;

export const Exemption = z.enum(["owner", "moderators"]);
export type Exemption = z.infer<typeof Exemption>;

const listName = /^[a-z0-9][a-z0-9_-]{0,39}$/;
const reserved = new Set<string>(channelGroups);
const ListName = z
  .string()
  .regex(listName, "must be 1 to 40 of a-z, 0-9, _ and -")
  .refine((name) => !reserved.has(name), "is a word of its own: give the list another name");

/** What a rule file holds besides its rules; those are read one by one. */
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

const ruleId = /^[a-z0-9][a-z0-9-]{0,39}$/;
const channelGlob = /^[0-9a-z*][0-9a-z*-]{0,31}$/;

/** One rule; `mode` falls back on the file's, and `when` may be left out where a timer alone asks. */
export const ruleEntry = (lists: RuleLists) =>
  z.strictObject({
    id: z.string().regex(ruleId, "must be 1 to 40 of a-z, 0-9 and -"),
    priority: z.int().min(-1000).max(1000).default(0),
    mode: Mode.optional(),
    channels: z
      .array(z.string().regex(channelGlob, 'must be a channel id, in which * stands for anything: "art-*"'))
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
