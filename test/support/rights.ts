import type { Actor } from "../../src/bot-context.ts";
import type { RawValues } from "../../src/discord/command.ts";
import { capabilities, type Capability } from "../../src/moderation/capabilities.ts";
import type { SetupChange } from "../../src/observe/setup-changes.ts";
import { rule, ruleFile } from "./rules.ts";

/* Who may do what: a row for everything that one can type, click, fill in or be suggested. */

export type Person =
  "owner" | "moderator" | "managing owner" | "manager" | "linker" | "stranger" | `role:${Capability}`;
export const actors: Record<string, Partial<Actor>> = {
  owner: { userId: "1001" },
  moderator: { userId: "1002" },
  "managing owner": { userId: "1001", managesServer: true },
  manager: { userId: "1003", managesServer: true },
  linker: { userId: "1004" },
  stranger: { userId: "1005" },
  ...Object.fromEntries(capabilities.map((one) => [`role:${one}`, { userId: "1006", roleIds: [one] }])),
};
// The keys are those that are written above.
export const persons = Object.keys(actors) as Person[];

export interface Row {
  options?: RawValues;
  typed?: Record<string, string>;
  allowed: readonly Person[];
  /** In a server whose only link is suspended, and in one that has none. */
  suspended?: readonly Person[];
  unlinked?: readonly Person[];
  /** What of the setup it changes, so that /audit lists it; and what comes before it. */
  setup?: SetupChange["kind"];
  after?: string;
}

export const staff = ["owner", "moderator", "managing owner"] as const satisfies Person[];
const needs = (capability: Capability, row: Partial<Row> = {}): Row => ({
  ...row,
  allowed: [...staff, `role:${capability}`, ...(row.allowed ?? [])],
});
export const unlinking: Person[] = [...staff, "manager", "linker", "role:link"];
const overview: Person[] = [...unlinking, "role:view"];
/** A cast that shows; the network gives it its hash. */
export const cast = `0x${"1".padStart(40, "0")}`;
const idle: Person[] = ["managing owner", "manager", "role:rules"];
const source = ruleFile([rule({ mode: "off" })]);
const user = "7";

export const rows: Record<string, Row> = {
  "channel info": needs("view"),
  // Who cannot prove anything yet is shown how to.
  "channel link": {
    setup: "links",
    options: { channel: "memes" },
    allowed: ["managing owner", "manager"],
    suspended: ["managing owner", "manager"],
    unlinked: ["managing owner", "manager"],
  },
  // For whoever was given a text to sign, which is nobody here.
  "channel sign": { options: { channel: "memes" }, allowed: [] },
  "channel unlink": { allowed: unlinking, suspended: unlinking, setup: "links" },
  "channel settings": needs("link", { options: { role: "9", give: "link" }, setup: "capabilities" }),
  "channel message": needs("link", { setup: "links", options: { template: "Hello {user}" } }),
  "invite member": needs("invite", { options: { user } }),
  "invite moderator": needs("view", { options: { user } }),
  "invite revoke": needs("invite", { options: { user: "3" } }),
  "invite list": needs("view"),
  "member list": needs("view"),
  "member info": needs("view", { options: { user } }),
  "member remove": needs("invite", { options: { user: "3" } }),
  "name lookup": needs("view", { options: { name: "troll" } }),
  "name history": needs("view", { options: { name: "troll" } }),
  who: needs("view", { options: { user } }),
  "ban add": needs("ban", { options: { user } }),
  "ban soft": needs("ban", { options: { user } }),
  "ban remove": needs("ban", { options: { user } }),
  "ban list": needs("view"),
  hide: needs("hide", { options: { cast } }),
  unhide: needs("hide", { options: { cast } }),
  "pin set": needs("pin", { options: { cast, notify: true } }),
  "pin clear": needs("pin"),
  "feed add": needs("feeds", { setup: "feeds", options: { kinds: "pins" } }),
  "feed edit": needs("feeds", { setup: "feeds", options: { number: 1, kinds: "pins" } }),
  "feed room": needs("feeds", { setup: "feeds", options: { digest: "1h" } }),
  "feed test": needs("feeds", { options: { number: 1 } }),
  "feed remove": needs("feeds", {
    setup: "feeds",
    options: { number: 1 },
    allowed: ["manager"],
    suspended: ["managing owner", "manager"],
    unlinked: ["managing owner", "manager"],
  }),
  "feed list": { allowed: overview, suspended: overview, unlinked: ["managing owner", "manager"] },
  "rule list": needs("rules", { suspended: idle }),
  "rule show": needs("rules", { suspended: idle }),
  "rule import": needs("rules", { setup: "rules", options: { text: source }, suspended: idle }),
  "rule mode": needs("rules", { setup: "rules", options: { rule: "scam", mode: "off" }, suspended: idle }),
  "rule test": needs("rules", { suspended: idle }),
  "rule explain": needs("view", { options: { event: "E-1000" } }),
  "rule edit": needs("rules", {
    setup: "rules",
    options: { rule: "scam" },
    typed: { rules: JSON.stringify(rule({ mode: "off" })) },
    suspended: idle,
  }),
  "rule history": needs("rules", { suspended: idle }),
  "rule rollback": needs("rules", {
    setup: "rules",
    after: "rule mode",
    options: { version: 1 },
    suspended: idle,
  }),
  "rule starter": needs("rules", { setup: "rules", options: { rule: "scam-links" }, suspended: idle }),
  "rule suggest": needs("rules", { suspended: idle }),
  "automod pause": needs("rules", { setup: "automod" }),
  "automod resume": needs("rules", { setup: "automod", after: "automod pause" }),
  "automod lockdown": { allowed: staff, setup: "automod" },
  "automod lift": needs("rules", { setup: "automod", after: "automod lockdown" }),
  "review list": needs("view"),
  "review show": needs("view", { options: { number: "R-1" } }),
  "case view": needs("view", { options: { number: "C-1" } }),
  // For every member, where a channel works.
  appeal: { allowed: persons },
  "report cast": { options: { cast }, allowed: persons },
  "report ignore": needs("hide", { options: { user: "1005" } }),
  "report heed": needs("hide", { options: { user: "1005" } }),
  "review decide": { allowed: staff, options: { decision: "dismiss", queue: "q" } },
  "case list": needs("view"),
  "case export": needs("view"),
  "case duration": needs("ban", { options: { number: "C-1", duration: "1h" } }),
  "case reason": needs("ban", { options: { number: "C-1", reason: "why" } }),
  "case comment": needs("ban", { options: { number: "C-1", text: "look" } }),
  "note add": needs("ban", { options: { user, text: "look" } }),
  "note list": needs("view", { options: { user } }),
  "strike add": needs("ban", { options: { user } }),
  "strike remove": needs("ban", { options: { number: "S-1" } }),
  "strike list": needs("view", { options: { user } }),
  stats: needs("view"),
  audit: needs("link"),
  "rule sweep": { options: { rule: "scam" }, allowed: staff },
  "rule undo": needs("undo", { options: { rule: "scam", since: "1d" } }),
  // What others hid: that takes "hide" and "undo".
  "case undo": { options: { number: "2" }, allowed: staff },
  "bulk hide": needs("hide", { options: { user } }),
  "bulk unhide": needs("hide", { options: { user } }),
  "bulk ban": needs("ban", { options: { text: "g" } }),
  "bulk unban": needs("ban", { options: { since: "1h" } }),
  "bulk show": needs("view", { options: { number: "1" } }),
  "bulk list": needs("view"),
  "bulk undo": { options: { number: "1" }, allowed: staff },
  "bulk stop": needs("undo", { options: { number: "1" } }),
  status: { allowed: overview, suspended: overview },
  help: { allowed: persons, suspended: persons, unlinked: persons },
};

/** Buttons in rooms. "keep" takes its own question away and does nothing. */
export const buttons: Record<string, Row> = {
  "channel link": { allowed: ["managing owner"], suspended: ["managing owner"] },
  "review approve": needs("hide"),
  "review approve-sure": needs("hide"),
  "review hide": needs("hide"),
  "review hide-sure": needs("hide"),
  "review ban": needs("ban"),
  "review ban-sure": needs("ban"),
  "review dismiss": needs("hide"),
  "review dismiss-sure": needs("hide"),
  "review claim": needs("hide"),
  "review release": needs("hide"),
  "review escalate": needs("hide"),
  "review ban-7d": needs("ban"),
  "review keep": { allowed: persons, suspended: persons },
};
