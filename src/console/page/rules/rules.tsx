import type { TargetedEvent } from "preact";
import type { DeskAnswers } from "../ask.ts";
import { ChannelStates } from "../channel-states.tsx";
import type { PartProps } from "../part.ts";
import { withQuery } from "../location.ts";
import { Head, MoreLink, Problem, Tabs } from "../parts.tsx";
import { useAnswer } from "../use-answer.tsx";
import { Words } from "../view.tsx";
import { Editor } from "./editor.tsx";
import { Versions } from "./versions.tsx";

/** A server's rules: those in force, an editor for one or all of them, and earlier versions. */
export function Rules(props: PartProps) {
  const { desk, place, path, version } = props;
  const states = useAnswer(desk, "/channels", {}, version).answer;
  const [what = "force"] = place.rest;
  const tabs = [
    { id: "force", title: "In force", href: path, Tab: InForce },
    { id: "edit", title: "Edit", href: `${path}/edit`, Tab: Editor },
    { id: "versions", title: "Versions", href: `${path}/versions`, Tab: Versions },
  ];
  const Shown = tabs.find(({ id }) => id === what)?.Tab ?? InForce;
  return (
    <>
      <Head title="Rules">
        <Tabs label="Rules" tabs={tabs.map((tab) => ({ ...tab, isShown: tab.id === what }))} />
      </Head>
      {states?.channels.map((channel) => (
        <ChannelStates key={channel.id} channel={channel} names={states.names} />
      ))}
      <Shown key={`${what} ${place.query.rule ?? ""} ${place.query.version ?? ""}`} {...props} />
    </>
  );
}

type Listed = DeskAnswers["/rules"]["rules"][number];

const modes = ["off", "shadow", "review", "enforce"];

function InForce({ desk, place, path, version, onRun }: PartProps) {
  const { answer, instead } = useAnswer(desk, "/rules", { after: place.query.after }, version);
  if (!answer) return instead;
  const { rules, names, unreadable, next, exempt = [] } = answer;
  if (answer.version === 0)
    return (
      <p class="empty">
        No rules yet. <a href={`${path}/edit`}>Write the first one.</a>
      </p>
    );
  const choose = (rule: Listed, { currentTarget: field }: TargetedEvent<HTMLSelectElement>) => {
    const mode = field.value;
    // The rule keeps its mode until the question is answered.
    field.value = rule.mode;
    return onRun("rule mode", { rule: rule.id, mode });
  };
  return (
    <>
      <p class="dim">
        Version {answer.version}. Exempt: {exempt.join(" and ") || "nobody but Castellan itself"}. They run in
        this order.
      </p>
      {unreadable && <Problem problem={{ message: unreadable, names }} />}
      {rules.length === 0 && !unreadable && <p class="empty">The file has no rules.</p>}
      <ul class="items rules">
        {rules.map((rule) => (
          <li
            key={rule.id}
            class="card rule"
            data-item
            data-open={`${path}/edit?rule=${rule.id}`}
            tabindex={0}
          >
            <p>
              <Words text={rule.line} names={names} />
            </p>
            <div class="buttons">
              <label class="menu">
                <span class="visually-hidden">Mode of {rule.id}</span>
                <select value={rule.mode} onChange={(event) => choose(rule, event)}>
                  {modes.map((mode) => (
                    <option key={mode} value={mode}>
                      {mode}
                    </option>
                  ))}
                </select>
              </label>
              <a class="button secondary" href={`${path}/edit?rule=${rule.id}`}>
                Edit<span class="visually-hidden"> {rule.id}</span>
              </a>
              <button class="button quiet" onClick={() => onRun("rule show", { rule: rule.id })}>
                Decisions<span class="visually-hidden"> of {rule.id}</span>
              </button>
            </div>
          </li>
        ))}
      </ul>
      {next && <MoreLink href={withQuery(path, { after: next })}>More rules</MoreLink>}
    </>
  );
}
