import type { Config } from "../config.ts";

/** The parts of Castellan that run in this process. */
export type Role = "start" | "api" | "bot" | "worker";

/** Whether this process serves the embedded network. */
export function servesNetwork(role: Role, { NETWORK }: Config): boolean {
  return NETWORK !== "live" && (role === "start" || role === "api");
}

/** Whether this process has a sandbox for Discord. */
export function hasSandbox(role: Role, config: Config): boolean {
  return role === "start" && servesNetwork(role, config) && !config.DISCORD_TOKEN;
}
