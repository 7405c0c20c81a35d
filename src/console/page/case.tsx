import type { TargetedSubmitEvent } from "preact";
import { useState } from "preact/hooks";
import type { DeskAnswers } from "./ask.ts";
import { withQuery } from "./location.ts";
import { Choices } from "./fields.tsx";
import type { PartProps } from "./part.ts";
import { Item } from "./parts.tsx";
import { useAnswer } from "./use-answer.tsx";
import { View } from "./view.tsx";

/** One case with its comments. */
export function Case({ desk, place, path, version, onPress, onRun }: PartProps) {
  const [channel = "", number = ""] = place.rest;
  const at = `/cases/${encodeURIComponent(channel)}/${encodeURIComponent(number)}` as const;
  const { answer, instead } = useAnswer(desk, at, {}, version);
  return (
    <>
      <p>
        <a href={withQuery(path, { channel })}>Cases of /{channel}</a>
      </p>
      <h1 class="visually-hidden">Case {number}</h1>
      {instead}
      {answer && (
        <>
          <Item label={`Case ${number}`}>
            <View view={answer.view} names={answer.names} onPress={onPress} />
          </Item>
          {answer.edits && (
            <EditCase key={at} edits={answer.edits} channel={channel} number={number} onRun={onRun} />
          )}
        </>
      )}
    </>
  );
}

const ends = ["permanent", "1h", "6h", "1d", "3d", "7d", "30d"];

interface EditCaseProps {
  edits: NonNullable<DeskAnswers[`/cases/${string}/${string}`]["edits"]>;
  channel: string;
  number: string;
  onRun: PartProps["onRun"];
}

/** The editable parts of a case. Each uses the same command as in Discord. */
function EditCase({ edits, channel, number, onRun }: EditCaseProps) {
  const [isBusy, setBusy] = useState(false);
  const run = async (typed: Record<string, string>, said?: string) => {
    setBusy(true);
    try {
      return await onRun("case edit", { number, channel, ...typed }, said);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section class="edits" aria-label="Edit this case">
      <Line
        label="Reason"
        button="Save the reason"
        value={edits.reason}
        isBusy={isBusy}
        onSave={(reason) => run({ reason }, "The reason is saved.")}
        isFirst
      />
      <Line
        label="Comment, for the other moderators"
        button="Add the comment"
        value=""
        isBusy={isBusy}
        onSave={(comment) => run({ comment }, "The comment is saved.")}
      />
      {edits.duration && (
        <Line
          label="Ends, counted from now"
          button="Change the end…"
          value=""
          choices={ends}
          placeholder="6h, 7d or permanent"
          maxlength={20}
          isBusy={isBusy}
          onSave={(duration) => run({ duration })}
        />
      )}
    </section>
  );
}

interface LineProps {
  label: string;
  button: string;
  /** The cases in force. */
  value: string;
  choices?: readonly string[];
  isBusy: boolean;
  onSave: (typed: string) => Promise<boolean>;
  isFirst?: boolean;
  placeholder?: string;
  maxlength?: number;
}

/** One field to edit. Its input stays until it is saved, even if other data changes. */
function Line({ label, button, value, choices = [], isBusy, onSave, isFirst, ...rest }: LineProps) {
  const [typed, setTyped] = useState<string>();
  const save = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (await onSave(typed ?? value)) setTyped(undefined);
  };
  const list = choices.length > 0 ? "choices-of-end" : undefined;
  return (
    <form class="line" onSubmit={save}>
      <label>
        {label}
        <input
          required
          maxlength={500}
          autocomplete="off"
          list={list}
          value={typed ?? value}
          onInput={(event) => setTyped(event.currentTarget.value)}
          data-edit={isFirst}
          {...rest}
        />
        {list && <Choices id={list} choices={choices.map((one) => [one, one])} />}
      </label>
      <button class="button secondary" disabled={isBusy}>
        {button}
      </button>
    </form>
  );
}
