import type { Config } from "../config.ts";
import { consoleSettings, type ListeningPlace } from "../listening.ts";
import { hasSandbox, type Role } from "./role.ts";

/** Whether this process serves the console, which needs the gateway's knowledge of the servers. */
export function hasConsole(role: Role, config: Config): boolean {
  if (role !== "start" && role !== "bot") return false;
  return config.CONSOLE_URL !== undefined || hasSandbox(role, config);
}

/** The address to listen on. */
export function consolePlace({ CONSOLE_HOST: host, CONSOLE_PORT: port }: Config): ListeningPlace {
  return { host, port, ...consoleSettings };
}
