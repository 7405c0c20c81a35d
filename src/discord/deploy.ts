import type { ApplicationCommand, ApplicationCommandData, Client } from "discord.js";
import type { Log } from "../log.ts";
import type { Command } from "./command.ts";
import { toCommandData } from "./command-data.ts";

/**
 * Tells Discord the commands where it has others: it allows 200 creations a day. What it has is asked for each time,
 * because commands can be changed and deleted without us. Says whether it told them.
 */
export async function deployCommands(
  log: Log,
  client: Client<true>,
  commands: readonly Command[],
): Promise<boolean> {
  const manager = client.application.commands;
  const wanted = commands.map(toCommandData);
  const present = await manager.fetch();
  const same =
    present.size === wanted.length &&
    wanted.every((data) =>
      isSame(
        present.find(({ name }) => name === data.name),
        data,
      ),
    );
  if (same) return false;
  await manager.set(wanted);
  log.info({ commands: wanted.length }, "commands deployed");
  return true;
}

const compared = [
  "description",
  "contexts",
  "integrationTypes",
  "options",
  "nsfw",
  "defaultMemberPermissions",
];

function isSame(present: ApplicationCommand | undefined, wanted: ApplicationCommandData): boolean {
  return present !== undefined && matches(pick(present), pick(wanted));
}

function pick(command: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(command).filter(([key]) => compared.includes(key)));
}

/** Discord leaves out, or fills in, what says nothing: null, false, an empty list. */
function matches(present: unknown, wanted: unknown): boolean {
  if (saysNothing(present) || saysNothing(wanted)) return saysNothing(present) && saysNothing(wanted);
  if (typeof present !== "object" || typeof wanted !== "object") return Object.is(present, wanted);
  const keys = new Set([...Object.keys(present ?? {}), ...Object.keys(wanted ?? {})]);
  return [...keys].every((key) => matches(Reflect.get(present ?? {}, key), Reflect.get(wanted ?? {}, key)));
}

function saysNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
