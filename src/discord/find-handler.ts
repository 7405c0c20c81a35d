import type { Command, Handler } from "./command.ts";

/** Every command, such as "ban add", with its handler. */
export function listHandlers(commands: readonly Command[]): [path: string, handler: Handler][] {
  return commands.flatMap((command): [string, Handler][] =>
    "handler" in command
      ? [[command.name, command.handler]]
      : Object.entries(command.subcommands).map(([name, handler]) => [`${command.name} ${name}`, handler]),
  );
}

/** The handler of a path such as "ban add", or undefined. */
export function findHandler(commands: readonly Command[], path: string): Handler | undefined {
  const [name, subcommand = ""] = path.split(" ");
  const command = commands.find((command) => command.name === name);
  if (!command) return undefined;
  return "handler" in command ? command.handler : command.subcommands[subcommand];
}
