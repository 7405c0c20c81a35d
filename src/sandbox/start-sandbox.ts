import { join } from "node:path";
import type { Clock } from "../clock.ts";
import { explainListening, isLoopback, sandboxSettings } from "../listening.ts";
import type { Log } from "../log.ts";
import { startDiscord, type Discord } from "./discord/start-discord.ts";
import type { Person } from "./discord/world/seed-world.ts";
import type { NetworkPane } from "./network-pane/pane.ts";
import { createSandboxPage } from "./page-server.ts";
import { managerRole, sandboxGuild } from "./sample/sample-server.ts";

/** The sandbox's file in its directory. It is only appended to while the sandbox runs. */
export const sandboxFile = "sandbox.jsonl";

export interface SandboxOptions {
  /** The directory of the sandbox's file. */
  directory: string;
  /** If this is not a loopback address, the page's address contains the secret. */
  host: string;
  port: number;
  /** The bot's token there. */
  token: string;
  /** The secret that a browser needs to act on the page. */
  pageSecret: string;
  /** The client secret of the console's sign-in; without it nobody can sign in. */
  clientSecret?: string;
  people: readonly Person[];
  /** Without it the page has only its chat. */
  pane?: NetworkPane | undefined;
  /** Whether its people, rooms and network are the sample's, which its first room then explains. */
  tour?: boolean;
  clock: Clock;
  log: Log;
}

export interface Sandbox {
  discord: Discord;
  /** The address to open: http://host:port as it is bound, with the secret if needed. */
  address: string;
}

/** The local Discord with its page. Throws `invalid_configuration` if it cannot listen. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { host, port, pageSecret, log } = options;
  const isOpen = !isLoopback(host);
  const discord = await openDiscord(options, isOpen).catch((cause: unknown) => {
    throw explainListening(cause, { host, port, ...sandboxSettings });
  });
  if (isOpen) {
    log.warn(
      `SANDBOX_HOST=${host}: other machines can reach the sandbox, and anyone with the page's whole address can act as any of its people`,
    );
  }
  return { discord, address: isOpen ? `${discord.bound}/?key=${pageSecret}` : discord.bound };
}

function openDiscord(options: SandboxOptions, isOpen: boolean): Promise<Discord> {
  const { directory, host, port, token, pageSecret, clientSecret, people, pane, tour, clock, log } = options;
  const access = { secret: pageSecret, inAddress: isOpen };
  return startDiscord({
    file: join(directory, sandboxFile),
    host,
    port,
    token,
    clientSecret,
    clock,
    log,
    people,
    guilds: [
      {
        ...sandboxGuild,
        owner: people[0]?.username ?? sandboxGuild.owner,
        roles: people.some(({ roles }) => roles?.includes(managerRole.name)) ? [managerRole] : [],
      },
    ],
    page: (discord) => createSandboxPage(discord, log, { pane, access, tour }),
  });
}
