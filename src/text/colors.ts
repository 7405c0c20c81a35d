/** The side of a message: what it means at a glance. */
export const colors = {
  plain: 0x5865f2,
  good: 0x2e8b57,
  warning: 0xc27c0e,
  bad: 0xb3261e,
  muted: 0x8a8f98,
} as const;
