import { useState } from "preact/hooks";
import type { Capability } from "../../moderation/capabilities.ts";
import { withQuery } from "./location.ts";
import type { PartProps } from "./part.ts";
import { ChannelField, SelectField, SuggestingField, TextField, UserField } from "./fields.tsx";
import { ActionForm, Head, Item, MoreLink } from "./parts.tsx";
import { useAnswer } from "./use-answer.tsx";
import { View } from "./view.tsx";

/** Bulks with their progress, which can be stopped or undone; and a form to start another. */
export function Bulks({ desk, server, place, path, version, onPress, onRun }: PartProps) {
  const { before } = place.query;
  const { answer, instead } = useAnswer(desk, "/bulks", { before }, version);
  return (
    <>
      <Head title="Bulks" />
      <Begin desk={desk} server={server} onRun={onRun} />
      {instead}
      {answer?.bulks.length === 0 && <p class="empty">No bulks yet.</p>}
      <ul class="items">
        {answer?.bulks.map(({ number, targets, settled, isUnderWay, view }) => (
          <li key={number}>
            <Item label={`Bulk ${number}`}>
              {isUnderWay && (
                <progress aria-label={`${number}: progress`} max={targets} value={settled}></progress>
              )}
              <View view={view} names={answer.names} onPress={onPress} />
            </Item>
          </li>
        ))}
      </ul>
      {answer?.next && <MoreLink href={withQuery(path, { before: answer.next })}>Older ones</MoreLink>}
    </>
  );
}

const fields = {
  rule: { label: "Set by this rule", maxlength: 40 },
  duration: { label: "Ban duration", maxlength: 20, placeholder: "7d; asked if empty" },
};

interface Kind {
  title: string;
  /** The command, and the right that it takes. */
  path: "hide" | "ban";
  more?: Record<string, string>;
  /** How the targets are found. */
  by: readonly ("user" | "text" | keyof typeof fields)[];
}

const kinds: readonly Kind[] = [
  { title: "Hide casts", path: "hide", by: ["user", "text"] },
  { title: "Show hidden casts again", path: "hide", more: { show_again: "true" }, by: ["user", "text"] },
  { title: "Ban the authors of casts", path: "ban", by: ["text", "duration"] },
  { title: "Lift bans", path: "ban", more: { lift: "true" }, by: ["rule"] },
];

/** Finds the targets and asks for confirmation. Nothing is done before that. */
function Begin({ desk, server, onRun }: Pick<PartProps, "desk" | "server" | "onRun">) {
  const channelsFor = (needs: Capability) => server.channels.filter(({ may }) => may.includes(needs));
  const offered = kinds.filter(({ path }) => channelsFor(path).length > 0);
  const [chosen, setChosen] = useState<string>();
  const kind = offered.find(({ title }) => title === chosen) ?? offered[0];
  if (!kind) return null;
  const { path, more } = kind;
  return (
    <details class="begin">
      <summary>Start one</summary>
      <ActionForm
        label="Start a bulk"
        actions={[{ title: "Find them…", run: (options) => onRun(path, { ...options, ...more }) }]}
      >
        <SelectField
          label="Action"
          choices={offered.map(({ title }) => [title, title])}
          chosen={kind.title}
          onChoose={setChosen}
        />
        <ChannelField channels={channelsFor(path)} />
        {kind.by.map((name) => {
          if (name === "user")
            return <UserField key={name} desk={desk} label="Of this user" path="case show" />;
          if (name === "text")
            return <TextField key={name} name={name} label="With this text" maxlength={200} />;
          return <SuggestingField key={name} desk={desk} path={path} option={name} {...fields[name]} />;
        })}
        <TextField name="since" label="Since" maxlength={40} placeholder="2h or 2026-11-23 20:00" />
        <SuggestingField desk={desk} path={path} option="reason" label="Reason" maxlength={300} />
      </ActionForm>
    </details>
  );
}
