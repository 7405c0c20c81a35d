/** The rules of `night-market` in the sandbox: they act while nobody types. */
// @ts-nocheck

export const marketRules = `version: 1
defaults: {mode: enforce, exempt: [owner, moderators]}
rules:
  - id: scam-links
    priority: 100
    channels: [night-market]
    on: [cast.created]
    when:
      all:
        - text: {matches: "(?i)claim.{0,20}airdrop"}
        - not: {author.is_member: true}
    then: [{hide: {}}]
  - id: repeat-hidden
    channels: [night-market]
    on: [record.hidden]
    when: {history: {event: record.hidden, by: author, within: 1h, gte: 2}}
    then: [{ban: {for: 72h, reason: "Two hidden casts within an hour"}}]
`;
