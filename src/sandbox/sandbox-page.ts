import type { RequestListener } from "node:http";
import type { Log } from "../log.ts";
import { chatEvents } from "./chat-pane/chat-events.ts";
import { chatRoutes } from "./chat-pane/chat-routes.ts";
import type { Discord } from "./discord/start-discord.ts";
import type { NetworkPane } from "./network-pane/pane.ts";
import { networkRoutes } from "./network-pane/network-routes.ts";
import type { PageAccess } from "./page-access.ts";
import { createPage } from "./page-server.ts";

export interface SandboxPageOptions {
  /** Without it the page has only its chat. */
  pane?: NetworkPane | undefined;
  access?: PageAccess | undefined;
}

/** The page on a local Discord: `startDiscord({page: (discord) => createSandboxPage(discord, log, {}), …})`. */
export function createSandboxPage(
  discord: Discord,
  log: Log,
  { pane, access }: SandboxPageOptions = {},
): RequestListener {
  return createPage({
    log,
    panes: pane ? ["chat", "network"] : ["chat"],
    routes: [...chatRoutes(discord), ...(pane ? networkRoutes(pane) : [])],
    streams: [chatEvents(discord.context)],
    access,
  });
}
