import { behaviourRules } from "./behaviour.ts";
import { scamLinks } from "./scam-links.ts";

/** The names of the starter rules. */
export type StarterId =
  | "scam-links"
  | "known-bad-links"
  | "look-alike-links"
  | "impostor-names"
  | "flood"
  | "duplicates"
  | (typeof behaviourRules)[number]["id"]
  | "repeat-offenders"
  | "invite-regulars";

/** A rule that a server can begin with, as its file would have it, without a mode: it is added in shadow. */
export interface StarterRule {
  id: StarterId;
  /** What it is for, in one sentence. */
  what: string;
  entry: Readonly<Record<string, unknown>>;
}

const knownBadLinks: StarterRule = {
  id: "known-bad-links",
  what: "Hides casts that link to what a list of bad links has; the operator names those lists (LINK_LISTS).",
  entry: {
    id: "known-bad-links",
    on: ["cast.created"],
    when: { "links.known_bad": true },
    then: [{ hide: {} }, { strike: { points: 2, ttl: "30d" } }],
    limits: { breaker: { max: 30, per: "1h", then: "review" } },
  },
};

const lookAlikeLinks: StarterRule = {
  id: "look-alike-links",
  what: "Holds for review casts whose links look like the channel's own, a wallet's or an exchange's, and are not.",
  entry: {
    id: "look-alike-links",
    on: ["cast.created"],
    when: { "links.look_alike": true },
    then: [{ review: { queue: "links" } }],
    limits: { breaker: { max: 30, per: "1h", then: "shadow" } },
  },
};

const impostorNames: StarterRule = {
  id: "impostor-names",
  what: "Holds for review anyone who takes a name that looks like the owner's or a moderator's, or sounds official.",
  entry: {
    id: "impostor-names",
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
};

const flood: StarterRule = {
  id: "flood",
  what: "Holds for review anyone who casts six times within two minutes.",
  entry: {
    id: "flood",
    on: ["cast.created"],
    when: { rate: { of: "cast.created", by: "author", within: "2m", gte: 6 } },
    then: [{ review: { queue: "spam" } }, { strike: { points: 1, ttl: "7d" } }],
    limits: { cooldown: { per: "author", for: "30m" } },
  },
};

const duplicates: StarterRule = {
  id: "duplicates",
  what: "Hides what a non-member posts for the third time within an hour.",
  entry: {
    id: "duplicates",
    on: ["cast.created"],
    when: {
      all: [{ duplicate: { of: "text", by: "author", within: "1h", gte: 3 } }, { "author.is_member": false }],
    },
    then: [{ hide: {} }, { strike: { points: 1, ttl: "7d" } }],
    limits: { breaker: { max: 30, per: "1h", then: "review" } },
  },
};

const repeatOffenders: StarterRule = {
  id: "repeat-offenders",
  what: "Bans anyone with five strike points for a week; the other rules give those points.",
  entry: {
    id: "repeat-offenders",
    on: ["strike.added"],
    when: { "author.strikes": { gte: 5 } },
    then: [{ ban: { for: "7d", reason: "Five strike points" } }],
    limits: { cooldown: { per: "author", for: "1d" }, breaker: { max: 10, per: "1h", then: "review" } },
  },
};

const inviteRegulars: StarterRule = {
  id: "invite-regulars",
  what: "Invites followers of the channel who cast often and were never hidden to become members.",
  entry: {
    id: "invite-regulars",
    on: ["cast.created"],
    when: {
      all: [
        { history: { event: "cast.created", by: "author", within: "30d", gte: 20 } },
        { not: { history: { event: "record.hidden", by: "author", within: "30d", gte: 1 } } },
        { not: { history: { event: "invite.created", by: "author", within: "30d", gte: 1 } } },
        { "author.is_member": false },
        { "author.follows_channel": true },
        { "author.restricted": false },
      ],
    },
    then: [{ invite: { role: "member" } }],
    limits: { cooldown: { per: "author", for: "30d" }, breaker: { max: 20, per: "1d", then: "review" } },
  },
};

/** What a server can begin with, one by one: /rule starter. */
export const starterRules: readonly StarterRule[] = [
  {
    id: "scam-links",
    what: "Hides lures by people who are not members: fake airdrops, wallets to connect, seed phrases, easy money.",
    entry: scamLinks,
  },
  knownBadLinks,
  lookAlikeLinks,
  impostorNames,
  flood,
  duplicates,
  ...behaviourRules,
  repeatOffenders,
  inviteRegulars,
];
