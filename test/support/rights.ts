import type { Actor } from "../../src/bot-context.ts";
import { commands } from "../../commands/index.ts";
import type { RawValues } from "../../src/discord/command.ts";
import { listHandlers } from "../../src/discord/find-handler.ts";
import { isMet, type Need, type Needs } from "../../src/discord/needs.ts";
import { capabilities, type Capability } from "../../src/moderation/capabilities.ts";
import type { SetupChange } from "../../src/observe/setup-changes.ts";
import { rule, ruleFile } from "./rules.ts";

/* Who may do what: a row for everything that one can type, by what it declares, and for everything that one can click. */

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

/** Who may use something, and how it is tried. */
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
const managers = ["managing owner", "manager"] as const satisfies Person[];
/** Who may end the link, as far as our rows tell. */
const linkers = [...managers, "linker", "role:link"] as const satisfies Person[];

/** In what state a server's only channel is. */
export type Place = "working" | "suspended" | "unlinked";

/** What a person holds in such a server. */
export function caseSources(person: Person, place: Place): Set<Need> {
  const among = (people: readonly Person[]) => people.includes(person);
  const ofChannel = capabilities.filter((one) => among([...staff, `role:${one}`]));
  return new Set<Need>([
    "everyone",
    ...(among(managers) ? ["manage" as const] : []),
    ...(place !== "unlinked" && among(linkers) ? ["unlink" as const] : []),
    ...(place === "working" ? ["linked" as const, ...ofChannel] : []),
  ]);
}

const whoMeets = (needs: Needs, place: Place) =>
  persons.filter((person) => isMet(needs, caseSources(person, place)));

const unlinking: Person[] = [...staff, "manager", "linker", "role:link"];
const overview: Person[] = [...unlinking, "role:view"];
/** Rules are read, and edited, where no channel works. */
const idle: Person[] = [...managers, "role:rules"];
/** A cast that shows; the network gives it its hash. */
export const cast = `0x${"1".padStart(40, "0")}`;
const source = ruleFile([rule({ mode: "off" })]);
const user = "7";

/** How commands are tried; and who may use them where a handler knows better than what its command declares. */
export const cases: Record<string, Partial<Row>> = {
  // Who cannot prove anything yet is shown how to.
  "setup link": { setup: "links", options: { channel: "memes" } },
  // The network is asked for the channel's staff, too.
  "setup unlink": { suspended: unlinking, setup: "links" },
  "setup permissions": { options: { role: "9", give: "link" }, setup: "capabilities" },
  // Listing and removing is for Manage Server, too (test/commands/webhooks).
  "setup webhooks": {
    setup: "webhooks",
    options: { add: "log", url: "https://hooks.example.org/", events: "health" },
    allowed: [...staff, "role:link"],
    suspended: [],
    unlinked: [],
  },
  "setup zone": { setup: "links", options: { zone: "Europe/Berlin" } },
  "setup message": { setup: "links", options: { template: "Hello {user}" } },
  invite: { options: { user } },
  who: { options: { user } },
  ban: { options: { user } },
  "setup reasons": { setup: "links", options: { add: "spam" } },
  hide: { options: { cast } },
  pin: { options: { cast, notify: true } },
  "feed add": { setup: "feeds", options: { kinds: "pins" } },
  "feed edit": { setup: "feeds", options: { number: 1, kinds: "pins" } },
  "feed room": { setup: "feeds", options: { digest: "1h" } },
  "feed remove": { setup: "feeds", options: { number: 1 } },
  "feed show": { suspended: overview },
  "rule show": { suspended: idle },
  "rule import": { setup: "rules", options: { text: source }, suspended: idle },
  "rule mode": { setup: "rules", options: { rule: "scam", mode: "off" }, suspended: idle },
  "rule test": { suspended: idle },
  "rule explain": { options: { event: "E-1000" } },
  "rule edit": {
    setup: "rules",
    options: { rule: "scam" },
    typed: { rules: JSON.stringify(rule({ mode: "off" })) },
    suspended: idle,
  },
  "rule rollback": { setup: "rules", after: "rule mode", options: { version: 1 }, suspended: idle },
  "rule starter": { setup: "rules", options: { rule: "scam-links" }, suspended: idle },
  "rule suggest": { suspended: idle },
  "rule sweep": { options: { rule: "scam" } },
  "list show": { suspended: idle },
  "list add": { setup: "rules", options: { list: "blocked_people", values: user }, suspended: idle },
  "list remove": {
    setup: "rules",
    options: { list: "raiders", values: "9" },
    suspended: idle,
  },
  "rule pause": { setup: "automod" },
  "rule resume": { setup: "automod", after: "rule pause" },
  lockdown: { setup: "automod", allowed: staff },
  // Whoever names a queue must be allowed to see it.
  "review decide": { options: { decision: "dismiss", queue: "q" }, allowed: staff },
  report: { options: { cast } },
  "review ignore": { setup: "links", options: { user: "1005" } },
  "case show": { options: { number: "C-1" } },
  // Of a ban.
  "case edit": { options: { number: "C-1", duration: "1h" }, allowed: [...staff, "role:ban"] },
  // What others hid: that takes "hide" and "undo".
  // Of what somebody else did.
  undo: { options: { what: "C-2" }, allowed: staff },
  note: { options: { user }, allowed: [...staff, "role:view"] },
  strike: { options: { user } },
  status: { suspended: overview },
};

/** Every command. */
export const rows: Record<string, Row> = Object.fromEntries(
  listHandlers(commands).map(([path, { needs }]): [string, Row] => {
    const [allowed, suspended, unlinked] = [
      whoMeets(needs, "working"),
      whoMeets(needs, "suspended"),
      whoMeets(needs, "unlinked"),
    ];
    return [path, { allowed, suspended, unlinked, ...cases[path] }];
  }),
);

const needs = (capability: Capability): Row => ({ allowed: [...staff, `role:${capability}`] });

/** What else a command does, by its path and a word, each with whoever may do that. */
export const parts: Record<string, Row> = {
  // For whoever was given a text to sign, which is nobody here.
  "setup link signed": { options: { channel: "memes", signature: "0x" }, allowed: [] },
  "status channel": { options: { channel: "memes" }, ...needs("view") },
  "case show list": needs("view"),
  "case show file": { options: { file: "csv" }, ...needs("view") },
  "ban restrict": { options: { user, restrict: true }, ...needs("ban") },
  "case edit reason": { options: { number: "C-1", reason: "why" }, ...needs("ban") },
  "case edit comment": { options: { number: "C-1", comment: "look" }, ...needs("ban") },
  "note text": { options: { user, text: "look" }, ...needs("ban") },
  "pin clear": { options: { clear: true }, ...needs("pin") },
  "review show one": { options: { number: "R-1" }, ...needs("view") },
  "hide bulk": { options: { user }, ...needs("hide") },
  "hide bulk again": { options: { user, show_again: true }, ...needs("hide") },
  "ban bulk": { options: { text: "g" }, ...needs("ban") },
  "ban bulk lifted": { options: { since: "1h", lift: true }, ...needs("ban") },
  "ban lifted": { options: { user, lift: true }, ...needs("ban") },
  "case show bulks": { options: { bulks: true }, ...needs("view") },
  "case show bulk": { options: { number: "B-1" }, ...needs("view") },
  "rule show one": { options: { rule: "scam" }, ...needs("rules"), suspended: idle },
  "rule show history": { options: { history: true }, ...needs("rules"), suspended: idle },
  "invite revoke": { options: { user: "3", revoke: true }, ...needs("invite") },
  "lockdown end": { setup: "automod", after: "lockdown", options: { end: true }, ...needs("rules") },
  "list add cast": { options: { cast }, ...needs("rules") },
  "who list": needs("view"),
  "review ignore end": {
    setup: "links",
    after: "review ignore",
    options: { user: "1005", end: true },
    ...needs("hide"),
  },
  "undo bulk": { options: { what: "B-1" }, allowed: staff },
  // A ban and what somebody else hid.
  "undo cases": { options: { what: "C-1 C-2" }, allowed: staff },
  "undo rule": { options: { what: "rule:scam", since: "1d" }, ...needs("undo") },
  "undo strike": needs("ban"),
  "undo person": { options: { what: `fid ${user}` }, ...needs("ban") },
  "undo cast": { options: { what: cast }, ...needs("hide") },
};

/** The command of a part. */
export const commandOf = (part: string) =>
  Object.keys(rows).find((path) => `${part} `.startsWith(`${path} `)) ?? part;

/** Buttons in rooms. "keep" takes its own question away and does nothing. */
export const buttons: Record<string, Row> = {
  "setup link": { allowed: ["managing owner"], suspended: ["managing owner"] },
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
  "review keep": { allowed: persons, suspended: persons },
};
