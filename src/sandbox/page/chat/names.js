/** What mentions in a message are called; `write` puts a command that is clicked there where one writes. */
export function namesIn(view, guild, write) {
  const named = (list, id) => list?.find((one) => one.id === id);
  const nameOf = (kind, id) => {
    if (kind === "role") return named(guild?.roles, id)?.name;
    if (kind === "room") return named(guild?.rooms, id)?.name;
    return id === view.bot.id ? view.bot.name : named(view.people, id)?.displayName;
  };
  return { view, guild, nameOf, write };
}
