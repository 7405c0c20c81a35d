/** A rule that acts, and two that would undo each other for ever if they took their own doing for another's. */
export const clockRules = `version: 1
defaults: {mode: enforce, exempt: [owner, moderators]}
rules:
  - id: scam
    on: [cast.created]
    when: {text: {contains: airdrop}}
    then: [{hide: {}}]
  - id: show
    on: [record.hidden]
    when: {text: {contains: quarrel}}
    then: [{unhide: {}}]
  - id: hide
    on: [record.unhidden]
    when: {text: {contains: quarrel}}
    then: [{hide: {}}]
`;
