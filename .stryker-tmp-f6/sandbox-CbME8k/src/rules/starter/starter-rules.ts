// @ts-nocheck
import { scamLinks } from "./scam-links.ts";
import type { StarterRule } from "./starter-rule.ts";

export type { StarterId } from "./starter-rule.ts";

const impostorNames: StarterRule = {
  id: "impostor-names",
  what: "Holds for review who takes a name that looks like the owner's or a moderator's, or sounds like an office.",
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
  what: "Holds for review who casts six times within two minutes.",
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
  what: "Hides what somebody who is no member says for the third time within an hour.",
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
  what: "Bans for a week whoever has five strike points: the other rules give them.",
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
  what: "Invites as member who follows the channel, casts often and was never hidden.",
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
  scamLinks,
  impostorNames,
  flood,
  duplicates,
  repeatOffenders,
  inviteRegulars,
];
