const type = { text: 3, boolean: 5, user: 6, room: 7, role: 8, mentionable: 9, file: 11 };

const typeNames = {
  3: "text",
  4: "whole number",
  5: "true or false",
  6: "person",
  7: "room",
  8: "role",
  9: "person or role",
  10: "number",
  11: "file",
};

export function typeName(option) {
  return typeNames[option.type] ?? "value";
}

/** What can be chosen for an option without asking the bot, narrowed by what is typed. */
export function offeredValues(option, { view, guild }, typed) {
  const all = allValues(option, view, guild);
  const wanted = typed.toLowerCase().replace(/^[@#]/, "");
  return all.filter(({ label, hint = "" }) => `${label} ${hint}`.toLowerCase().includes(wanted)).slice(0, 25);
}

function allValues(option, view, guild) {
  const people = view.people.map(({ id, displayName, username }) => ({
    key: id,
    label: `@${displayName}`,
    hint: username,
    value: id,
    alias: username,
  }));
  const roles = (guild?.roles ?? []).map(({ id, name }) => ({
    key: id,
    label: name,
    hint: "role",
    value: id,
  }));
  switch (option.type) {
    case type.boolean:
      return [true, false].map((value) => ({ key: String(value), label: value ? "True" : "False", value }));
    case type.user:
      return people;
    case type.room:
      return (guild?.rooms ?? []).map(({ id, name }) => ({ key: id, label: `#${name}`, value: id }));
    case type.role:
      return roles;
    case type.mentionable:
      return [...people, ...roles];
    default:
      return (option.choices ?? []).map(toItem);
  }
}

/** A choice of the command, or of the bot's suggestions, as an entry of the list. */
export function toItem(choice) {
  return { key: `${typeof choice.value}:${choice.value}`, label: choice.name, value: choice.value };
}

/** Whether a text is this entry of the list, written out. */
export function isMeant({ label, value, alias }, text) {
  const bare = (word) => word.trim().toLowerCase().replace(/^[@#]/, "");
  return [label, String(value), alias ?? label].some((word) => bare(word) === bare(text));
}

/** The value that a text written out stands for, where only a list has values. */
export function valueOf(option, names, text) {
  if (!isClosed(option) || text.trim() === "") return undefined;
  return allValues(option, names.view, names.guild).find((item) => isMeant(item, text))?.value;
}

/** Whether any text at all may be a value, also one that looks like an option. */
export function isFree(option) {
  return option.type === type.text && !option.autocomplete && !isClosed(option);
}

export function isFile(option) {
  return option.type === type.file;
}

/** Whether only what the list offers is a value. */
export function isClosed(option) {
  return (
    (option.choices?.length ?? 0) > 0 || (option.type >= type.boolean && option.type <= type.mentionable)
  );
}

/** Reads a file for the request. */
export async function readFile(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = "";
  for (let at = 0; at < bytes.length; at += 0x8000)
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return { filename: file.name, contentType: file.type || "application/octet-stream", base64: btoa(binary) };
}
