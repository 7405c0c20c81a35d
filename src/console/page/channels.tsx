import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { DeskAnswers } from "./ask.ts";
import { ChannelStates, type ChannelState } from "./channel-states.tsx";
import type { PartProps } from "./part.ts";
import { SuggestingField } from "./fields.tsx";
import { ActionForm, Head, Item } from "./parts.tsx";
import { useAnswer } from "./use-answer.tsx";

/** Channels: lock them down, pause their rules, invite people. */
export function Channels(props: PartProps) {
  const { desk, server, version } = props;
  const { answer, instead } = useAnswer(desk, "/channels", {}, version);
  const mayIn = (channel: string) => server.channels.find(({ id }) => id === channel)?.may ?? [];
  return (
    <>
      <Head title="Channels" />
      {instead}
      <ul class="items">
        {answer?.channels.map((channel) => (
          <li key={channel.id}>
            <Channel {...props} channel={channel} may={mayIn(channel.id)} names={answer.names} />
          </li>
        ))}
      </ul>
    </>
  );
}

interface ChannelProps extends Pick<PartProps, "desk" | "onRun"> {
  channel: ChannelState;
  /** The person's capabilities. */
  may: readonly string[];
  names: DeskAnswers["/channels"]["names"];
}

function Channel({ desk, onRun, channel, may, names }: ChannelProps) {
  const { id, isSeen, pause, lockdown, invites } = channel;
  const [invited, setInvited] = useState(0);
  const run = (path: string, options: Record<string, string> = {}) =>
    onRun(path, { ...options, channel: id });
  const rules = may.includes("rules");
  return (
    <Item label={`Channel ${id}`}>
      <h2 class="embed-title">/{id}</h2>
      {isSeen && !pause && !lockdown && <p class="dim">Not locked down, and rules are not paused.</p>}
      <ChannelStates channel={channel} names={names} />
      {rules && (lockdown ?? pause) && (
        <div class="buttons">
          {lockdown && (
            <button type="button" class="button secondary" onClick={() => run("lockdown", { end: "true" })}>
              End the lockdown
            </button>
          )}
          {pause && (
            <button type="button" class="button secondary" onClick={() => run("rule resume")}>
              Resume the rules
            </button>
          )}
        </div>
      )}
      {rules && may.includes("hide") && !pause && (
        <Action
          key={`lockdown ${lockdown?.until}`}
          title={lockdown ? "Change when the lockdown ends" : "Lock down"}
          button="Lock it down…"
          onSubmit={(typed) => run("lockdown", typed)}
        >
          <Duration desk={desk} path="lockdown" placeholder="1h if empty" />
          <Reason desk={desk} path="lockdown" />
        </Action>
      )}
      {rules && !pause && (
        <Action
          title="Pause the rules"
          button="Pause the rules"
          onSubmit={(typed) => run("rule pause", typed)}
        >
          <Duration desk={desk} path="rule pause" placeholder="until resumed" />
          <Reason desk={desk} path="rule pause" />
        </Action>
      )}
      {may.includes("invite") && (
        <Action
          key={`invite ${invited}`}
          title="Invite"
          button="Invite"
          onSubmit={async ({ users = "" }) => {
            const isOne = !/[\s,]/.test(users.trim());
            // One is invited at once; several are shown first, so the field stays.
            const isAnswered = await run("invite", isOne ? { user: users } : { users });
            if (isAnswered && isOne) setInvited(invited + 1);
          }}
        >
          {invites !== undefined && <p class="note dim">{invites}</p>}
          <SuggestingField
            desk={desk}
            path="invite"
            option="user"
            name="users"
            label="Users, with spaces between them"
            maxlength={2000}
            placeholder="@name, fid or link"
            required
          />
        </Action>
      )}
    </Item>
  );
}

interface ActionProps {
  title: string;
  button: string;
  onSubmit: (typed: Record<string, string>) => Promise<unknown>;
  children: ComponentChildren;
}

/** A form that is closed at first. */
function Action({ title, button, onSubmit, children }: ActionProps) {
  return (
    <details class="begin">
      <summary>{title}</summary>
      <ActionForm label={title} actions={[{ title: button, run: onSubmit }]}>
        {children}
      </ActionForm>
    </details>
  );
}

interface FieldProps extends Pick<PartProps, "desk"> {
  path: string;
  placeholder?: string;
}

function Duration(props: FieldProps) {
  return <SuggestingField {...props} option="duration" label="How long" maxlength={20} />;
}

function Reason(props: FieldProps) {
  return (
    <SuggestingField {...props} option="reason" label="Reason, shown in the feed rooms" maxlength={200} />
  );
}
