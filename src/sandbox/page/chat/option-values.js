import { useEffect, useState } from "preact/hooks";
import { send } from "../ask.js";
import { OptionType } from "../discord-types.js";

const typeNames = {
  [OptionType.String]: "text",
  [OptionType.Integer]: "whole number",
  [OptionType.Boolean]: "true or false",
  [OptionType.User]: "person",
  [OptionType.Channel]: "room",
  [OptionType.Role]: "role",
  [OptionType.Mentionable]: "person or role",
  [OptionType.Number]: "number",
  [OptionType.Attachment]: "file",
};

export function typeName(option) {
  return typeNames[option.type] ?? "value";
}

/** What can be chosen for an option without asking the bot, narrowed by what is typed. */
function offeredValues(option, { view, guild }, typed) {
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
    case OptionType.Boolean:
      return [true, false].map((value) => ({ key: String(value), label: value ? "True" : "False", value }));
    case OptionType.User:
      return people;
    case OptionType.Channel:
      return (guild?.rooms ?? []).map(({ id, name }) => ({ key: id, label: `#${name}`, value: id }));
    case OptionType.Role:
      return roles;
    case OptionType.Mentionable:
      return [...people, ...roles];
    default:
      return (option.choices ?? []).map(toItem);
  }
}

/** A choice of the command, or of the bot's suggestions, as an entry of the list. */
function toItem(choice) {
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
  return option.type === OptionType.String && !option.autocomplete && !isClosed(option);
}

export function isFile(option) {
  return option.type === OptionType.Attachment;
}

/** Whether only what the list offers is a value. */
export function isClosed(option) {
  return (
    (option.choices?.length ?? 0) > 0 ||
    (option.type >= OptionType.Boolean && option.type <= OptionType.Mentionable)
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

const inputPauseMs = 150;

/** The values to choose from for the option that is being filled in; the bot is asked once typing rests. */
export function useSuggestions({ store, names, command, option, values }) {
  const typed = option ? (values[option.name]?.text ?? "") : "";
  const asksBot = Boolean(option?.autocomplete);
  const [answer, setAnswer] = useState({ items: [], loading: false, failed: false });
  useEffect(() => {
    if (!asksBot) return undefined;
    let current = true;
    setAnswer((last) => ({ ...last, loading: true, failed: false }));
    const timer = setTimeout(async () => {
      const { userId: user, roomId: room } = store.state;
      const body = {
        user,
        room,
        command: command.path,
        options: draft(values, option.name, typed),
        focused: option.name,
      };
      const choices = await send("/chat/suggest", body).catch(() => null);
      if (current)
        setAnswer({ items: (choices ?? []).map(toItem), loading: false, failed: choices === null });
    }, inputPauseMs);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [asksBot, option?.name, typed]);
  if (!option) return { items: [], loading: false, failed: false };
  return asksBot ? answer : { items: offeredValues(option, names, typed), loading: false, failed: false };
}

function draft(values, focused, typed) {
  const filled = Object.entries(values)
    .map(([name, given]) => [name, given?.value ?? given?.text ?? ""])
    .filter(([name, value]) => name !== focused && value !== "");
  return { ...Object.fromEntries(filled), [focused]: typed };
}
