import type { DiscordContext } from "../discord/command-context.ts";
import type { Members } from "../discord/members.ts";
import type { Application } from "./ask-discord.ts";

/** What the console works with. */
export interface ConsoleParts {
  context: DiscordContext;
  members: Members;
  /** Where people reach it, without a path: "https://castellan.example.org". */
  origin: string;
  application: Application;
  /** Discord's page on which people say that the application may know who they are. */
  authorizeUrl: string;
  /** Addresses and networks of the proxies in front, which are believed about who asks. */
  trustedProxies?: readonly string[];
}
