// @ts-nocheck
import type { Route } from "../route.ts";
import { applicationRoutes } from "./application.ts";
import { channelRoutes } from "./channels.ts";
import { commandRoutes } from "./commands.ts";
import { guildRoutes } from "./guilds.ts";
import { interactionRoutes } from "./interactions.ts";
import { messageRoutes } from "./messages.ts";

/** The first route that fits answers, so literal paths stand before patterns. */
export const routes: readonly Route[] = [
  ...applicationRoutes,
  ...channelRoutes,
  ...messageRoutes,
  ...interactionRoutes,
  ...commandRoutes,
  ...guildRoutes,
];
