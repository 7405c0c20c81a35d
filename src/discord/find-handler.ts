import type { Command, Handler, RawValues } from "./command.ts";

/** Renamed commands by their old paths, which buttons in rooms and stored prompts have; the options that became others, too. */
const renamed: ReadonlyMap<string, { path: string; change?: (old: RawValues) => RawValues }> = new Map([
  ["automod lockdown", { path: "lockdown start" }],
  ["automod lift", { path: "lockdown end" }],
  ["automod pause", { path: "rule pause" }],
  ["automod resume", { path: "rule resume" }],
]);

/** Every command, such as "ban add", with its handler. */
export function listHandlers(commands: readonly Command[]): [path: string, handler: Handler][] {
  return commands.flatMap((command): [string, Handler][] =>
    "handler" in command
      ? [[command.name, command.handler]]
      : Object.entries(command.subcommands).map(([name, handler]) => [`${command.name} ${name}`, handler]),
  );
}

/** The handler of a path such as "feed add", or of its present name; undefined if there is none. */
export function findHandler(commands: readonly Command[], path: string): Handler | undefined {
  const [name, subcommand = ""] = (renamed.get(path)?.path ?? path).split(" ");
  const command = commands.find((command) => command.name === name);
  if (!command) return undefined;
  return "handler" in command ? command.handler : command.subcommands[subcommand];
}

/** A command and its options by the names that they have now. */
export function toCurrent(path: string, raw: RawValues): { path: string; raw: RawValues } {
  const { path: current = path, change } = renamed.get(path) ?? {};
  return { path: current, raw: change ? change(raw) : raw };
}
