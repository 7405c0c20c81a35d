/** The kinds of changes of a server's setup that are recorded: `SetupChangeTable`. */
export const setupKinds = [
  "rules",
  "capabilities",
  "feeds",
  "links",
  "automod",
  "tokens",
  "webhooks",
] as const;
