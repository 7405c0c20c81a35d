import type { ButtonHandler, Command, Handler, RawValue, RawValues } from "./command.ts";

type Change = (old: RawValues) => RawValues;

/** Renamed commands by their old paths, which buttons in rooms and stored prompts have; the options that became others, too. */
const renamed: ReadonlyMap<string, readonly [path: string, change?: Change]> = new Map<
  string,
  readonly [string, Change?]
>([
  ["automod lockdown", ["lockdown"]],
  ["automod lift", ["lockdown", turnOn("end")]],
  ["lockdown start", ["lockdown"]],
  ["lockdown end", ["lockdown", turnOn("end")]],
  ["automod pause", ["rule pause"]],
  ["automod resume", ["rule resume"]],
  ["case list", ["case show"]],
  ["case export", ["case show", ({ format = "csv", ...others }) => ({ ...others, file: format })]],
  ["case view", ["case show"]],
  ["case reason", ["case edit"]],
  ["case comment", ["case edit", ({ text = "", ...others }) => ({ ...others, comment: text })]],
  ["case duration", ["case edit"]],
  ["ban add", ["ban"]],
  ["ban soft", ["ban", turnOn("restrict")]],
  ["ban reasons", ["setup reasons"]],
  ["channel info", ["status"]],
  ["channel sign", ["setup link"]],
  ["channel settings", ["setup permissions"]],
  ["channel link", ["setup link"]],
  ["channel unlink", ["setup unlink"]],
  ["channel zone", ["setup zone"]],
  ["channel tokens", ["setup tokens"]],
  ["channel webhooks", ["setup webhooks"]],
  ["channel message", ["setup message"]],
  ["channel reasons", ["setup reasons"]],
  ["note add", ["note"]],
  ["note list", ["note"]],
  ["strike add", ["strike"]],
  ["invite member", ["invite"]],
  ["invite revoke", ["invite", turnOn("revoke")]],
  ["feed list", ["feed show"]],
  ["list block", ["list add", ({ cast = "" }) => ({ cast })]],
  ["report cast", ["report"]],
  ["report ignore", ["review ignore"]],
  ["report unignore", ["review ignore", turnOn("end")]],
  ["review list", ["review show"]],
  ["bulk hide", ["hide"]],
  ["bulk unhide", ["hide", turnOn("show_again")]],
  ["bulk ban", ["ban"]],
  ["bulk unban", ["ban", turnOn("lift")]],
  ["bulk list", ["case show", turnOn("bulks")]],
  ["bulk show", ["case show", ({ number }) => (number ? { number: toBulk(number) } : { bulks: true })]],
  ["bulk stop", ["undo", toWhat("number", toBulk)]],
  ["rule list", ["rule show"]],
  ["rule history", ["rule show", turnOn("history")]],
  ["pin set", ["pin"]],
  ["pin clear", ["pin", turnOn("clear")]],
  ["member list", ["who", toList]],
  ["members", ["who", toList]],
  ["case undo", ["undo", toWhat("number", (number) => number.replace(/^\d/, "C-$&"))]],
  ["bulk undo", ["undo", toWhat("number", toBulk)]],
  ["ban remove", ["undo", toWhat("user", (user) => `fid ${user}`)]],
  ["unhide", ["undo", toWhat("cast", (cast) => cast)]],
]);

function turnOn(flag: string): Change {
  return (old) => ({ ...old, [flag]: true });
}

/** Which people /who lists. */
function toList({ who, ...others }: RawValues): RawValues {
  return who === undefined ? others : { ...others, list: who };
}

/** "B-3" from "3", which a bulk's buttons had. */
function toBulk(number: RawValue): string {
  return String(number).replace(/^\d/, "B-$&");
}

/** Turns an option into /undo's `what`. */
function toWhat(option: string, write: (value: string) => string): Change {
  return ({ [option]: value = "", ...others }) => ({ ...others, what: write(String(value)) });
}

/** Every command, such as "feed add", with its handler. */
export function listHandlers(commands: readonly Command[]): [path: string, handler: Handler][] {
  return commands.flatMap((command): [string, Handler][] =>
    "handler" in command
      ? [[command.name, command.handler]]
      : Object.entries(command.subcommands).map(([name, handler]) => [`${command.name} ${name}`, handler]),
  );
}

/** The handler of a path such as "feed add", or of its present name; undefined if there is none. */
export function findHandler(commands: readonly Command[], path: string): Handler | undefined {
  const [name, subcommand = ""] = (renamed.get(path)?.[0] ?? path).split(" ");
  const command = commands.find((command) => command.name === name);
  if (!command) return undefined;
  return "handler" in command ? command.handler : command.subcommands[subcommand];
}

/** What answers the buttons in rooms that have a command's name; those of /setup had /channel's. */
export function findButtons(commands: readonly Command[], name: string): ButtonHandler | undefined {
  const current = name === "channel" ? "setup" : name;
  return commands.find((command) => command.name === current)?.onButton;
}

/** A command and its options by the names that they have now. */
export function toCurrent(path: string, raw: RawValues): { path: string; raw: RawValues } {
  const [current = path, change] = renamed.get(path) ?? [];
  return { path: current, raw: change?.(raw) ?? raw };
}
