import type { DiscordContext } from "../discord/command-context.ts";
import type { Members } from "../discord/members.ts";
import type { Application } from "./ask-discord.ts";

/** The console's dependencies. */
export interface ConsoleParts {
  context: DiscordContext;
  members: Members;
  /** Its public address, without a path: "https://castellan.example.org". */
  origin: string;
  application: Application;
  /** Discord's consent page. */
  authorizeUrl: string;
  /** Addresses and networks of the reverse proxies, whose X-Forwarded-For is trusted. */
  trustedProxies?: readonly string[];
}
