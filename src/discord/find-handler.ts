import type { Command, Handler, RawValues } from "./command.ts";

interface Renamed {
  path: string;
  change?: (old: RawValues) => RawValues;
}

/** Renamed commands by their old paths, which buttons in rooms and stored prompts have; the options that became others, too. */
const renamed: ReadonlyMap<string, Renamed> = new Map<string, Renamed>([
  ["automod lockdown", { path: "lockdown start" }],
  ["automod lift", { path: "lockdown end" }],
  ["automod pause", { path: "rule pause" }],
  ["automod resume", { path: "rule resume" }],
  ["case view", { path: "case show" }],
  ["case reason", { path: "case edit" }],
  [
    "case comment",
    { path: "case edit", change: ({ text = "", ...others }) => ({ ...others, comment: text }) },
  ],
  ["case duration", { path: "case edit" }],
  ["ban add", { path: "ban" }],
  ["ban soft", { path: "ban", change: (old) => ({ ...old, restrict: true }) }],
  ["ban reasons", { path: "channel reasons" }],
  ["note add", { path: "note" }],
  ["note list", { path: "note" }],
  ["strike add", { path: "strike" }],
  ["review list", { path: "review show" }],
  ["bulk list", { path: "bulk show" }],
  ["rule list", { path: "rule show" }],
  ["rule history", { path: "rule show", change: (old) => ({ ...old, history: true }) }],
  ["pin set", { path: "pin" }],
  ["pin clear", { path: "pin", change: (old) => ({ ...old, clear: true }) }],
  ["member list", { path: "members" }],
  ["case undo", { path: "undo", change: toWhat("number", (number) => number.replace(/^\d/, "C-$&")) }],
  ["bulk undo", { path: "undo", change: toWhat("number", (number) => number.replace(/^\d/, "B-$&")) }],
  ["ban remove", { path: "undo", change: toWhat("user", (user) => `fid ${user}`) }],
  ["unhide", { path: "undo", change: toWhat("cast", (cast) => cast) }],
]);

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
  const current = renamed.get(path)?.path ?? path;
  return listHandlers(commands).find(([known]) => known === current)?.[1];
}

/** A command and its options by the names that they have now. */
export function toCurrent(path: string, raw: RawValues): { path: string; raw: RawValues } {
  const { path: current = path, change } = renamed.get(path) ?? {};
  return { path: current, raw: change ? change(raw) : raw };
}
