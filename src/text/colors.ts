/** The colour bar of a message, which shows its meaning at a glance. */
export const colors = {
  plain: 0x5865f2,
  good: 0x2e8b57,
  warning: 0xc27c0e,
  bad: 0xb3261e,
  muted: 0x8a8f98,
} as const;
