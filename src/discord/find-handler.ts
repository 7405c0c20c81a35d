import type { ButtonHandler, Command, Handler, RawValue, RawValues } from "./command.ts";

interface Renamed {
  path: string;
  change?: (old: RawValues) => RawValues;
}

/** Renamed commands by their old paths, which buttons in rooms and stored prompts have; the options that became others, too. */
const renamed: ReadonlyMap<string, Renamed> = new Map<string, Renamed>([
  ["automod lockdown", { path: "lockdown" }],
  ["automod lift", { path: "lockdown", change: (old) => ({ ...old, end: true }) }],
  ["lockdown start", { path: "lockdown" }],
  ["lockdown end", { path: "lockdown", change: (old) => ({ ...old, end: true }) }],
  ["automod pause", { path: "rule pause" }],
  ["automod resume", { path: "rule resume" }],
  ["case list", { path: "case show" }],
  [
    "case export",
    { path: "case show", change: ({ format = "csv", ...others }) => ({ ...others, file: format }) },
  ],
  ["case view", { path: "case show" }],
  ["case reason", { path: "case edit" }],
  [
    "case comment",
    { path: "case edit", change: ({ text = "", ...others }) => ({ ...others, comment: text }) },
  ],
  ["case duration", { path: "case edit" }],
  ["ban add", { path: "ban" }],
  ["ban soft", { path: "ban", change: (old) => ({ ...old, restrict: true }) }],
  ["ban reasons", { path: "setup reasons" }],
  ["channel info", { path: "status" }],
  ["channel sign", { path: "setup link" }],
  ["channel settings", { path: "setup permissions" }],
  ...["link", "unlink", "zone", "tokens", "webhooks", "message", "reasons"].map((name): [string, Renamed] => [
    `channel ${name}`,
    { path: `setup ${name}` },
  ]),
  ["note add", { path: "note" }],
  ["note list", { path: "note" }],
  ["strike add", { path: "strike" }],
  ["invite member", { path: "invite" }],
  ["invite revoke", { path: "invite", change: (old) => ({ ...old, revoke: true }) }],
  ["feed list", { path: "feed show" }],
  ["list block", { path: "list add", change: ({ cast = "" }) => ({ cast }) }],
  ["report cast", { path: "report" }],
  ["report ignore", { path: "review ignore" }],
  ["report unignore", { path: "review ignore", change: (old) => ({ ...old, end: true }) }],
  ["review list", { path: "review show" }],
  ["bulk hide", { path: "hide" }],
  ["bulk unhide", { path: "hide", change: (old) => ({ ...old, show_again: true }) }],
  ["bulk ban", { path: "ban" }],
  ["bulk unban", { path: "ban", change: (old) => ({ ...old, lift: true }) }],
  ["bulk list", { path: "case show", change: () => ({ bulks: true }) }],
  [
    "bulk show",
    {
      path: "case show",
      change: ({ number }) => (number === undefined ? { bulks: true } : { number: toBulk(number) }),
    },
  ],
  ["bulk stop", { path: "undo", change: ({ number = "" }) => ({ what: toBulk(number) }) }],
  ["rule list", { path: "rule show" }],
  ["rule history", { path: "rule show", change: (old) => ({ ...old, history: true }) }],
  ["pin set", { path: "pin" }],
  ["pin clear", { path: "pin", change: (old) => ({ ...old, clear: true }) }],
  ["member list", { path: "who", change: toList }],
  ["members", { path: "who", change: toList }],
  ["case undo", { path: "undo", change: toWhat("number", (number) => number.replace(/^\d/, "C-$&")) }],
  ["bulk undo", { path: "undo", change: toWhat("number", toBulk) }],
  ["ban remove", { path: "undo", change: toWhat("user", (user) => `fid ${user}`) }],
  ["unhide", { path: "undo", change: toWhat("cast", (cast) => cast) }],
]);

/** Which people /who lists. */
function toList({ who, ...others }: RawValues): RawValues {
  return who === undefined ? others : { ...others, list: who };
}

/** "B-3" from "3", which a bulk's buttons had. */
function toBulk(number: RawValue): string {
  return String(number).replace(/^\d/, "B-$&");
}

/** Turns an option into /undo's `what`. */
function toWhat(option: string, write: (value: string) => string) {
  return ({ [option]: value = "", ...others }: RawValues): RawValues => ({
    ...others,
    what: write(String(value)),
  });
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
  const [name, subcommand = ""] = (renamed.get(path)?.path ?? path).split(" ");
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
  const { path: current = path, change } = renamed.get(path) ?? {};
  return { path: current, raw: change ? change(raw) : raw };
}
