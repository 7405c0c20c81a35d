import { isDeepStrictEqual } from "node:util";
import { scamLinks } from "./scam-links.ts";

const notMember = { "author.is_member": false };
const hasLink = { "text.links": { gte: 1 } };
const holdLinks = [{ review: { queue: "links" } }];
const hideAndStrike = (points: number, ttl: string) => [{ hide: {} }, { strike: { points, ttl } }];
const breaker = (then: "review" | "shadow") => ({ breaker: { max: 30, per: "1h", then } });

/** The fields of a form: a count and a time span, each with its default. */
interface NumberFields {
  count?: { label: string; usual: number };
  within?: { label: string; usual: string };
}

interface Numbers {
  count: number;
  within: string;
}

interface Starter {
  /** Its purpose in one sentence, with the default numbers. */
  what: string;
  asks?: NumberFields;
  /** The rule as written in a file. */
  rule: (numbers: Numbers) => Readonly<Record<string, unknown>>;
}

/** The starter rules by name. Add one here. */
const table = {
  "scam-links": {
    what: "Hides lures by people who are not members: fake airdrops, wallets to connect, seed phrases, easy money.",
    rule: () => scamLinks,
  },
  "known-bad-links": {
    what: "Hides casts that link to hosts on a list of bad links; the operator sets those lists (LINK_LISTS).",
    rule: () => ({
      on: ["cast.created"],
      when: { "links.known_bad": true },
      then: hideAndStrike(2, "30d"),
      limits: breaker("review"),
    }),
  },
  "look-alike-links": {
    what: "Holds for review casts whose links imitate the channel's own site, a wallet or an exchange.",
    rule: () => ({
      on: ["cast.created"],
      when: { "links.look_alike": true },
      then: holdLinks,
      limits: breaker("shadow"),
    }),
  },
  "impostor-names": {
    what: "Holds for review anyone who takes a name that looks like the owner's or a moderator's, or sounds official.",
    rule: () => ({
      on: ["username_proof.merged"],
      when: {
        any: [
          { name: { confusable_with: ["owner", "moderators"] } },
          { name: { matches: "(?i)(^|-)(support|helpdesk|admin|official|airdrop|giveaway|claim)(-|\\.|$)" } },
        ],
      },
      then: [{ review: { queue: "names" } }],
      on_unknown: "skip",
    }),
  },
  flood: {
    what: "Holds for review anyone who casts six times within two minutes.",
    asks: {
      count: { label: "How many casts?", usual: 6 },
      within: { label: "In what time?", usual: "2m" },
    },
    rule: ({ count, within }) => ({
      on: ["cast.created"],
      when: { rate: { of: "cast.created", by: "author", within, gte: count } },
      then: [{ review: { queue: "spam" } }, { strike: { points: 1, ttl: "7d" } }],
      limits: { cooldown: { per: "author", for: "30m" } },
    }),
  },
  "link-flood": {
    what: "Hides what a non-member casts from the fourth cast with a link within five minutes on.",
    asks: {
      count: { label: "How many casts with a link?", usual: 4 },
      within: { label: "In what time?", usual: "5m" },
    },
    rule: ({ count, within }) => ({
      on: ["cast.created"],
      when: {
        all: [
          { rate: { of: "cast.created", by: "author", within, gte: count, when: hasLink } },
          hasLink,
          notMember,
        ],
      },
      then: hideAndStrike(1, "7d"),
      limits: breaker("review"),
    }),
  },
  duplicates: {
    what: "Hides a text that a non-member posts for the third time within an hour.",
    asks: {
      count: { label: "How many times the same?", usual: 3 },
      within: { label: "In what time?", usual: "1h" },
    },
    rule: ({ count, within }) => ({
      on: ["cast.created"],
      when: { all: [{ duplicate: { of: "text", by: "author", within, gte: count } }, notMember] },
      then: hideAndStrike(1, "7d"),
      limits: breaker("review"),
    }),
  },
  "first-links": {
    what: "Holds for review links in the first cast of anyone who is not a member.",
    rule: () => ({
      on: ["cast.created"],
      when: { all: [{ "author.casts": { eq: 1 } }, hasLink, notMember] },
      then: holdLinks,
    }),
  },
  "link-waves": {
    what: "Holds for review a non-member's link that three or more people cast within ten minutes.",
    asks: {
      count: { label: "How many people?", usual: 3 },
      within: { label: "In what time?", usual: "10m" },
    },
    rule: ({ count, within }) => ({
      on: ["cast.created"],
      when: { all: [{ same_address: { of: "address", within, gte: count } }, notMember] },
      then: holdLinks,
    }),
  },
  "same-replies": {
    what: "Hides a non-member's reply to the fifth person within an hour with the same or nearly the same text.",
    asks: {
      count: { label: "How many people get the same reply?", usual: 5 },
      within: { label: "In what time?", usual: "1h" },
    },
    rule: ({ count, within }) => ({
      on: ["cast.created"],
      when: { all: [{ same_reply: { within, gte: count } }, { "text.length": { gte: 20 } }, notMember] },
      then: hideAndStrike(1, "7d"),
      limits: breaker("review"),
    }),
  },
  "renamed-links": {
    what: "Holds for review links of non-members who changed their name within the last day.",
    asks: { within: { label: "Renamed within what time?", usual: "1d" } },
    rule: ({ within }) => ({
      on: ["cast.created"],
      when: { all: [{ "author.renamed": { within } }, hasLink, notMember] },
      then: holdLinks,
    }),
  },
  "repeat-offenders": {
    what: "Bans anyone with five strike points for a week; the other rules give those points.",
    asks: { count: { label: "How many strike points?", usual: 5 } },
    rule: ({ count }) => ({
      on: ["strike.added"],
      when: { "author.strikes": { gte: count } },
      then: [{ ban: { for: "7d", reason: "Five strike points" } }],
      limits: { cooldown: { per: "author", for: "1d" }, breaker: { max: 10, per: "1h", then: "review" } },
    }),
  },
  "invite-regulars": {
    what: "Invites followers of the channel who cast often and were never hidden to become members.",
    asks: {
      count: { label: "How many casts?", usual: 20 },
      within: { label: "In what time?", usual: "30d" },
    },
    rule: ({ count, within }) => ({
      on: ["cast.created"],
      when: {
        all: [
          { history: { event: "cast.created", by: "author", within, gte: count } },
          { not: { history: { event: "record.hidden", by: "author", within: "30d", gte: 1 } } },
          { not: { history: { event: "invite.created", by: "author", within: "30d", gte: 1 } } },
          notMember,
          { "author.follows_channel": true },
          { "author.restricted": false },
        ],
      },
      then: [{ invite: { role: "member" } }],
      limits: { cooldown: { per: "author", for: "30d" }, breaker: { max: 20, per: "1d", then: "review" } },
    }),
  },
} satisfies Record<string, Starter>;

/** The names of the starter rules. */
export type StarterId = keyof typeof table;

/** A rule that a server can begin with, as written in its file but without a mode: it is added in shadow. */
export interface StarterRule {
  id: StarterId;
  /** Its purpose, in one sentence. */
  what: string;
  /** With the usual numbers. */
  entry: Readonly<Record<string, unknown>>;
  asks: NumberFields;
  /** With numbers of one's own; the usual one for each that is left out. */
  withNumbers(numbers: Partial<Numbers>): Readonly<Record<string, unknown>>;
}

/** The rules that a server can begin with, added one by one with /rule starter. */
export const starterRules: readonly StarterRule[] = Object.entries<Starter>(table).map(
  ([name, { what, asks = {}, rule }]) => {
    const id = name as StarterId; // a key of the table
    const withNumbers = ({
      count = asks.count?.usual ?? 0,
      within = asks.within?.usual ?? "",
    }: Partial<Numbers>) => ({
      id,
      ...rule({ count, within }),
    });
    return { id, what, asks, entry: withNumbers({}), withNumbers };
  },
);

/** The starter rule, with its usual numbers, that looks for the same and does the same as this entry. */
export function findStarter({ on, when, then }: Readonly<Record<string, unknown>>): StarterRule | undefined {
  return starterRules.find(({ entry }) =>
    isDeepStrictEqual([on, when, then], [entry["on"], entry["when"], entry["then"]]),
  );
}
