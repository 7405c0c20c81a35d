// @ts-nocheck
import type { RequestListener } from "node:http";
import type { Log } from "../log.ts";
import { chatEvents } from "./chat-pane/chat-events.ts";
import { chatRoutes } from "./chat-pane/chat-routes.ts";
import type { Discord } from "./discord/start-discord.ts";
import { createPage, type PageParts } from "./page-server.ts";

/** The page on a local Discord: `startDiscord({page: (discord) => createSandboxPage(discord, log, others), …})`. */
export function createSandboxPage(
  discord: Discord,
  log: Log,
  others: PageParts["others"] = [],
): RequestListener {
  return createPage({ log, routes: chatRoutes(discord), streams: [chatEvents(discord.context)], others });
}
