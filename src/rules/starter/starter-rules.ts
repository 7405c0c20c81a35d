import { scamLinks } from "./scam-links.ts";

const notMember = { "author.is_member": false };
const hasLink = { "text.links": { gte: 1 } };
const holdLinks = [{ review: { queue: "links" } }];
const hideAndStrike = (points: number, ttl: string) => [{ hide: {} }, { strike: { points, ttl } }];
const breaker = (then: "review" | "shadow") => ({ breaker: { max: 30, per: "1h", then } });

/** By name: each rule's purpose in one sentence, and the rule as written in a file. */
const table = {
  "scam-links": {
    what: "Hides lures by people who are not members: fake airdrops, wallets to connect, seed phrases, easy money.",
    rule: scamLinks,
  },
  "known-bad-links": {
    what: "Hides casts that link to hosts on a list of bad links; the operator sets those lists (LINK_LISTS).",
    rule: {
      on: ["cast.created"],
      when: { "links.known_bad": true },
      then: hideAndStrike(2, "30d"),
      limits: breaker("review"),
    },
  },
  "look-alike-links": {
    what: "Holds for review casts whose links imitate the channel's own site, a wallet or an exchange.",
    rule: {
      on: ["cast.created"],
      when: { "links.look_alike": true },
      then: holdLinks,
      limits: breaker("shadow"),
    },
  },
  "impostor-names": {
    what: "Holds for review anyone who takes a name that looks like the owner's or a moderator's, or sounds official.",
    rule: {
      on: ["username_proof.merged"],
      when: {
        any: [
          { name: { confusable_with: ["owner", "moderators"] } },
          { name: { matches: "(?i)(^|-)(support|helpdesk|admin|official|airdrop|giveaway|claim)(-|\\.|$)" } },
        ],
      },
      then: [{ review: { queue: "names" } }],
      on_unknown: "skip",
    },
  },
  flood: {
    what: "Holds for review anyone who casts six times within two minutes.",
    rule: {
      on: ["cast.created"],
      when: { rate: { of: "cast.created", by: "author", within: "2m", gte: 6 } },
      then: [{ review: { queue: "spam" } }, { strike: { points: 1, ttl: "7d" } }],
      limits: { cooldown: { per: "author", for: "30m" } },
    },
  },
  duplicates: {
    what: "Hides a text that a non-member posts for the third time within an hour.",
    rule: {
      on: ["cast.created"],
      when: {
        all: [{ duplicate: { of: "text", by: "author", within: "1h", gte: 3 } }, notMember],
      },
      then: hideAndStrike(1, "7d"),
      limits: breaker("review"),
    },
  },
  "first-links": {
    what: "Holds for review links in the first cast of anyone who is not a member.",
    rule: {
      on: ["cast.created"],
      when: { all: [{ "author.casts": { eq: 1 } }, hasLink, notMember] },
      then: holdLinks,
    },
  },
  "link-waves": {
    what: "Holds for review a non-member's link that three or more people cast within ten minutes.",
    rule: {
      on: ["cast.created"],
      when: { all: [{ same_address: { of: "address", within: "10m", gte: 3 } }, notMember] },
      then: holdLinks,
    },
  },
  "same-replies": {
    what: "Hides a non-member's reply to the fifth person within an hour with the same or nearly the same text.",
    rule: {
      on: ["cast.created"],
      when: { all: [{ same_reply: { within: "1h", gte: 5 } }, { "text.length": { gte: 20 } }, notMember] },
      then: hideAndStrike(1, "7d"),
      limits: breaker("review"),
    },
  },
  "renamed-links": {
    what: "Holds for review links of non-members who changed their name within the last day.",
    rule: {
      on: ["cast.created"],
      when: { all: [{ "author.renamed": { within: "1d" } }, hasLink, notMember] },
      then: holdLinks,
    },
  },
  "repeat-offenders": {
    what: "Bans anyone with five strike points for a week; the other rules give those points.",
    rule: {
      on: ["strike.added"],
      when: { "author.strikes": { gte: 5 } },
      then: [{ ban: { for: "7d", reason: "Five strike points" } }],
      limits: { cooldown: { per: "author", for: "1d" }, breaker: { max: 10, per: "1h", then: "review" } },
    },
  },
  "invite-regulars": {
    what: "Invites followers of the channel who cast often and were never hidden to become members.",
    rule: {
      on: ["cast.created"],
      when: {
        all: [
          { history: { event: "cast.created", by: "author", within: "30d", gte: 20 } },
          { not: { history: { event: "record.hidden", by: "author", within: "30d", gte: 1 } } },
          { not: { history: { event: "invite.created", by: "author", within: "30d", gte: 1 } } },
          notMember,
          { "author.follows_channel": true },
          { "author.restricted": false },
        ],
      },
      then: [{ invite: { role: "member" } }],
      limits: { cooldown: { per: "author", for: "30d" }, breaker: { max: 20, per: "1d", then: "review" } },
    },
  },
} satisfies Record<string, { what: string; rule: Readonly<Record<string, unknown>> }>;

/** The names of the starter rules. */
export type StarterId = keyof typeof table;

/** A rule that a server can begin with, as written in its file but without a mode: it is added in shadow. */
export interface StarterRule {
  id: StarterId;
  /** Its purpose, in one sentence. */
  what: string;
  entry: Readonly<Record<string, unknown>>;
}

/** The rules that a server can begin with, added one by one with /rule starter. */
export const starterRules: readonly StarterRule[] = Object.entries(table).map(([name, { what, rule }]) => {
  const id = name as StarterId; // a key of the table
  return { id, what, entry: { id, ...rule } };
});
