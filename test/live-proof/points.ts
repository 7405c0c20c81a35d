import { clientAnswers } from "./faults/client-answers.ts";
import { clientCalls } from "./faults/client-calls.ts";
import { discordLimits } from "./faults/discord-limits.ts";
import { discordServers } from "./faults/discord-servers.ts";
import { findings } from "./faults/findings.ts";
import { hubEvents } from "./faults/hub-events.ts";
import { hubMessages } from "./faults/hub-messages.ts";
import { hubPages } from "./faults/hub-pages.ts";
import type { Point } from "./fault.ts";

/** Every point of what is known of the live services, and the reviews' findings. */
export const points: readonly Point[] = [
  ...hubEvents,
  ...hubPages,
  ...hubMessages,
  ...clientAnswers,
  ...clientCalls,
  ...discordServers,
  ...discordLimits,
  ...findings,
];
