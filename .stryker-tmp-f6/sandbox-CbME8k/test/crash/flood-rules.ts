/** Seconds of the short ban: long enough for a kill to fall into it, short enough to wait for its end. */
// @ts-nocheck

export const shortBan = 20;
/** A cast counts from this one of its author on. */
export const burstFrom = 4;
export const strikesForShortBan = 2;
export const strikesForLongBan = 5;
/** Times that the scam rule acts before it only asks. */
export const breakerMax = 6;

/** Rules that remember: a window, a cooldown, strikes, a breaker, bans with an end. */
export const floodRules = `version: 1
defaults: {mode: enforce, exempt: [owner, moderators]}
rules:
  - id: burst
    on: [cast.created]
    when: {rate: {of: cast.created, by: author, within: 1h, gte: ${burstFrom}}}
    then: [{strike: {points: 1, ttl: 1d}}]
  - id: scam
    on: [cast.created]
    when: {text: {contains: airdrop}}
    then: [{hide: {}}]
    limits: {breaker: {max: ${breakerMax}, per: 1h, then: review}}
  - id: once
    on: [cast.created]
    when: {text: {contains: flood}}
    then: [{note: {text: "Takes part in a flood"}}]
    limits: {cooldown: {per: author, for: 1h}}
  - id: short-ban
    on: [strike.added]
    when: {author.strikes: {gte: ${strikesForShortBan}}}
    then: [{ban: {for: ${shortBan}s}}]
    limits: {cooldown: {per: author, for: 1h}}
  - id: long-ban
    on: [strike.added]
    when: {author.strikes: {gte: ${strikesForLongBan}}}
    then: [{ban: {for: 1h}}]
    limits: {cooldown: {per: author, for: 1h}}
`;
