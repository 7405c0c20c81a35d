import { useEffect, useId, useState } from "preact/hooks";
import type { Server } from "../account-routes.ts";
import type { Desk, DeskAnswers } from "./ask.ts";

interface TextFieldProps {
  name: string;
  label: string;
  value?: string | undefined;
  maxlength: number;
  placeholder?: string;
  spellcheck?: boolean;
  /** Offered while typing. */
  choices?: readonly string[];
  /** Whether the key for the search goes here. */
  isSearch?: boolean;
}

export function TextField({ label, value = "", choices, isSearch, ...rest }: TextFieldProps) {
  const list = useId();
  return (
    <label>
      {label}
      <input
        autocomplete="off"
        defaultValue={value}
        list={choices && list}
        data-search={isSearch}
        {...rest}
      />
      {choices && <Choices id={list} choices={choices.map((one) => [one, one])} />}
    </label>
  );
}

/** What can be chosen: each is a value with its title. */
type Choice = readonly [value: string, title: string];

/** Offers values for a field while somebody types. */
export function Choices({ id, choices }: { id: string; choices: readonly Choice[] }) {
  return (
    <datalist id={id}>
      <Options choices={choices} />
    </datalist>
  );
}

function Options({ choices, chosen }: { choices: readonly Choice[]; chosen?: string | undefined }) {
  return (
    <>
      {choices.map(([value, title]) => (
        <option key={value} value={value} selected={value === chosen}>
          {title}
        </option>
      ))}
    </>
  );
}

interface SelectFieldProps {
  name?: string;
  label: string;
  choices: readonly Choice[];
  chosen?: string | undefined;
  /** What the first choice is called, which leaves the others open. */
  none?: string | undefined;
  onChoose?: ((chosen: string) => void) | undefined;
}

export function SelectField({ name, label, choices, chosen, none, onChoose }: SelectFieldProps) {
  return (
    <label>
      {label}
      <select name={name} onChange={(event) => onChoose?.(event.currentTarget.value)}>
        {none !== undefined && <option value="">{none}</option>}
        <Options choices={choices} chosen={chosen} />
      </select>
    </label>
  );
}

interface ChannelFieldProps extends Pick<SelectFieldProps, "chosen" | "onChoose"> {
  channels: Server["channels"];
  /** Whether all channels can be selected. */
  all?: boolean;
}

export function ChannelField({ channels, all, ...rest }: ChannelFieldProps) {
  return (
    <SelectField
      name="channel"
      label="Channel"
      choices={channels.map(({ id }) => [id, `/${id}`])}
      none={all ? "all" : undefined}
      {...rest}
    />
  );
}

interface SuggestingFieldProps extends Omit<TextFieldProps, "name" | "choices"> {
  desk: Desk;
  /** The command and its option, which has the suggestions. */
  path: string;
  option: string;
  /** The field's name in its form. */
  name?: string;
  required?: boolean;
}

/** A text for a command's option, whose suggestions appear while typing. */
export function SuggestingField({
  desk,
  path,
  option,
  name = option,
  value,
  label,
  isSearch,
  ...rest
}: SuggestingFieldProps) {
  const [typed, setTyped] = useState(value ?? "");
  const [choices, setChoices] = useState<DeskAnswers["/suggest"]["choices"]>([]);
  useEffect(() => setTyped(value ?? ""), [value]);
  useEffect(() => {
    let isOver = false;
    const timer = setTimeout(() => {
      desk.read("/suggest", { path, option, typed }).then(
        (answer) => !isOver && setChoices(answer.choices),
        () => {},
      );
    }, 150);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [typed]);
  const list = useId();
  return (
    <label>
      {label}
      <input
        name={name}
        list={list}
        autocomplete="off"
        spellcheck={false}
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
        data-search={isSearch}
        {...rest}
      />
      <Choices id={list} choices={choices.map(([title, choice]) => [choice, title])} />
    </label>
  );
}

interface UserFieldProps extends Pick<SuggestingFieldProps, "desk" | "value" | "label"> {
  /** The command that needs the permission. */
  path?: string;
}

/** A user of the network: fid, @name or link. */
export function UserField({ path = "who", ...rest }: UserFieldProps) {
  return (
    <SuggestingField
      path={path}
      option="user"
      maxlength={200}
      placeholder="@name, fid or link"
      isSearch
      {...rest}
    />
  );
}
