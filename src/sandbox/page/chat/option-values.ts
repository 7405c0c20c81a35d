import { useEffect, useState } from "preact/hooks";
import type { ChatPosts } from "../../chat-pane/chat-routes.ts";
import type { ChatGuild, ChatView } from "../../chat-pane/chat-view.ts";
import type { Choice, ValueOption } from "../../discord/shapes/command.ts";
import { send } from "../ask.ts";
import { OptionType } from "../discord-types.ts";
import type { ChatStore } from "./chat-state.ts";
import type { ListItem } from "./list-box.tsx";
import type { Runnable } from "./typed-command.ts";

/** An option's input: its text, and the chosen value. */
export interface Given {
  text: string;
  value?: OptionValue;
  file?: File | undefined;
}

export type OptionValue = string | number | boolean;

/** An entry of the list of values. */
export interface ValueItem extends ListItem {
  value: OptionValue;
  alias?: string;
}

/** Where an option's values come from. */
export interface Around {
  view: ChatView;
  guild: ChatGuild | undefined;
}

const typeNames: Readonly<Record<number, string>> = {
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

export function typeName(option: ValueOption): string {
  return typeNames[option.type] ?? "value";
}

/** Choices for an option that need no call to the bot, filtered by the typed text. */
function offeredValues(option: ValueOption, around: Around, typed: string): ValueItem[] {
  const all = allValues(option, around);
  const wanted = typed.toLowerCase().replace(/^[@#]/, "");
  return all.filter(({ label, hint = "" }) => `${label} ${hint}`.toLowerCase().includes(wanted)).slice(0, 25);
}

function allValues(option: ValueOption, { view, guild }: Around): ValueItem[] {
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

/** A list entry for one of the command's choices or the bot's suggestions. */
function toItem(choice: Choice): ValueItem {
  return { key: `${typeof choice.value}:${choice.value}`, label: choice.name, value: choice.value };
}

/** Whether a text matches this entry exactly. */
export function isMeant({ label, value, alias }: ValueItem, text: string): boolean {
  const bare = (word: string) => word.trim().toLowerCase().replace(/^[@#]/, "");
  return [label, String(value), alias ?? label].some((word) => bare(word) === bare(text));
}

/** The value of a fully typed text, if only a list has values. */
export function valueOf(option: ValueOption, around: Around, text: string): OptionValue | undefined {
  if (!isClosed(option) || text.trim() === "") return undefined;
  return allValues(option, around).find((item) => isMeant(item, text))?.value;
}

/** Whether any text can be a value, even one that looks like an option. */
export function isFree(option: ValueOption): boolean {
  return option.type === OptionType.String && !option.autocomplete && !isClosed(option);
}

export function isFile(option: ValueOption): boolean {
  return option.type === OptionType.Attachment;
}

/** Whether only the list's entries are valid values. */
export function isClosed(option: ValueOption): boolean {
  return (
    (option.choices?.length ?? 0) > 0 ||
    (option.type >= OptionType.Boolean && option.type <= OptionType.Mentionable)
  );
}

type GivenFile = Exclude<ChatPosts["/chat/slash"]["options"][string], OptionValue>;

/** Reads a file for the request. */
export async function readFile(file: File): Promise<GivenFile> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = "";
  for (let at = 0; at < bytes.length; at += 0x8000)
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return { filename: file.name, contentType: file.type || "application/octet-stream", base64: btoa(binary) };
}

const inputPauseMs = 150;

interface SuggestionsOf {
  store: ChatStore;
  around: Around;
  command: Runnable;
  /** The option being filled in. */
  option: ValueOption | undefined;
  values: Values;
}

export type Values = Readonly<Record<string, Given | undefined>>;

interface Suggestions {
  items: readonly ValueItem[];
  loading: boolean;
  failed: boolean;
}

const nothing: Suggestions = { items: [], loading: false, failed: false };

/** The choices for the option being filled in. The bot is asked after a pause in typing. */
export function useSuggestions({ store, around, command, option, values }: SuggestionsOf): Suggestions {
  const typed = option ? (values[option.name]?.text ?? "") : "";
  const asking = option?.autocomplete ? option.name : undefined;
  const [answer, setAnswer] = useState(nothing);
  useEffect(() => {
    if (asking === undefined) return undefined;
    let current = true;
    setAnswer((last) => ({ ...last, loading: true, failed: false }));
    const timer = setTimeout(() => {
      const { userId: user, roomId: room } = store.state;
      const body = {
        user,
        room,
        command: command.path,
        options: draft(values, asking, typed),
        focused: asking,
      };
      (send("/chat/suggest", body) as Promise<Choice[]>).then(
        (choices) => current && setAnswer({ ...nothing, items: choices.map(toItem) }),
        () => current && setAnswer({ ...nothing, failed: true }),
      );
    }, inputPauseMs);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [asking, typed]);
  if (!option) return nothing;
  return asking === undefined ? { ...nothing, items: offeredValues(option, around, typed) } : answer;
}

function draft(values: Values, focused: string, typed: string): Record<string, OptionValue> {
  const filled = Object.entries(values)
    .map(([name, given]) => [name, given?.value ?? given?.text ?? ""])
    .filter(([name, value]) => name !== focused && value !== "");
  return { ...Object.fromEntries(filled), [focused]: typed };
}
