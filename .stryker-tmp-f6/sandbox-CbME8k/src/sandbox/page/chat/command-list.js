// @ts-nocheck
const type = { subcommand: 1, group: 2 };

/** Every slash command that can be run, with its subcommands written out: "ban add". */
export function runnableCommands(commands) {
  return commands.filter((command) => command.type === 1).flatMap((command) => spread(command.name, command));
}

function spread(path, { description, options = [] }) {
  const nested = (options ?? []).filter(
    (option) => option.type === type.subcommand || option.type === type.group,
  );
  if (nested.length > 0) return nested.flatMap((option) => spread(`${path} ${option.name}`, option));
  return [{ path, description, options: options ?? [] }];
}

/** Commands that fit what was typed after the slash, the best first. */
export function findCommands(runnable, typed) {
  const wanted = typed.toLowerCase().trim();
  const rank = ({ path }) =>
    path.startsWith(wanted) ? 0 : path.split(" ").some((word) => word.startsWith(wanted)) ? 1 : 2;
  return runnable
    .filter(({ path, description }) => path.includes(wanted) || description.toLowerCase().includes(wanted))
    .toSorted((a, b) => rank(a) - rank(b));
}
