// @ts-nocheck
import { join } from "node:path";
import type { Clock } from "../clock.ts";
import { AppError } from "../errors.ts";
import type { Log } from "../log.ts";
import { startDiscord, type Discord } from "./discord/start-discord.ts";
import type { Person } from "./discord/world/settle-world.ts";
import type { NetworkPane } from "./network-pane/pane.ts";
import { servePane } from "./network-pane/serve-pane.ts";
import { createSandboxPage } from "./sandbox-page.ts";
import { sandboxGuild } from "./world.ts";

/** The sandbox's file in its directory: only ever appended to while the sandbox is up. */
export const sandboxFile = "sandbox.jsonl";

export interface SandboxOptions {
  /** Where its file is kept. */
  directory: string;
  host: string;
  port: number;
  /** The bot's token there. */
  token: string;
  people: readonly Person[];
  /** Without it the page has only its chat. */
  pane?: NetworkPane | undefined;
  clock: Clock;
  log: Log;
}

/** The local Discord with its page. Throws `invalid_configuration` where the port is taken. */
export async function startSandbox(options: SandboxOptions): Promise<Discord> {
  const { host, port } = options;
  try {
    return await openDiscord(options);
  } catch (cause) {
    if (!(cause instanceof Error && "syscall" in cause && cause.syscall === "listen")) throw cause;
    throw new AppError(
      "invalid_configuration",
      `${host}:${port} cannot be listened on. Is another instance running? Set SANDBOX_PORT to another port.`,
      { cause },
    );
  }
}

function openDiscord(options: SandboxOptions): Promise<Discord> {
  const { directory, host, port, token, people, pane, clock, log } = options;
  return startDiscord({
    file: join(directory, sandboxFile),
    host,
    port,
    token,
    clock,
    log,
    people,
    guilds: [{ ...sandboxGuild, owner: people[0]?.username ?? sandboxGuild.owner }],
    page: (discord) =>
      createSandboxPage(discord, log, pane ? [{ pane: "network", serve: servePane(pane, log) }] : []),
  });
}
