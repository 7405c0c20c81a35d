import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { withQuery } from "./location.js";
import { Problem, UserField, Waiting } from "./parts.js";
import { useAnswer } from "./use-answer.js";
import { View } from "./view.js";

/** What was done to many targets at once: how far it is, to be stopped or undone; and another to be started. */
export function Part({ desk, server, place, version, onPress, onRun }) {
  const path = `/console/${server.id}/bulks`;
  const { before } = place.query;
  const { answer, problem } = useAnswer(desk, withQuery("/bulks", { before }), version);
  return html`
    <header class="section-head"><h1>Bulks</h1></header>
    <${Begin} ...${{ desk, server, onRun }} />
    ${problem && html`<${Problem} problem=${problem} />`} ${!answer && !problem && html`<${Waiting} />`}
    ${answer?.bulks.length === 0 && html`<p class="empty">No bulks yet.</p>`}
    <ul class="items">
      ${answer?.bulks.map(
        ({ number, targets, settled, isUnderWay, view }) => html`
          <li key=${number}>
            <article class="card" data-item tabindex="0" aria-label=${`Bulk ${number}`}>
              ${isUnderWay && html`<progress aria-label=${`${number}: how far`} max=${targets} value=${settled}></progress>`}
              <${View} view=${view} names=${answer.names} onPress=${onPress} />
            </article>
          </li>
        `,
      )}
    </ul>
    ${answer?.next && html`<a class="button secondary" href=${withQuery(path, { before: answer.next })}>Older ones</a>`}
  `;
}

/** By whom or what its targets are found, for each command. */
const kinds = {
  hide: { title: "Hide casts", needs: "hide", by: ["user", "text"] },
  unhide: { title: "Show hidden casts again", needs: "hide", by: ["user", "text"] },
  ban: { title: "Ban the authors of casts", needs: "ban", by: ["text", "duration"] },
  unban: { title: "Lift bans", needs: "ban", by: ["rule"] },
};
const fields = {
  text: { label: "With this text", maxlength: 200 },
  rule: { label: "That this rule set", maxlength: 40 },
  duration: { label: "For how long", maxlength: 20, placeholder: "7d; for good if empty" },
};

/** Finds the targets and asks; nothing is done before that is answered. */
function Begin({ desk, server, onRun }) {
  const may = (needs) => server.channels.filter((channel) => channel.may.includes(needs));
  const offered = Object.keys(kinds).filter((kind) => may(kinds[kind].needs).length > 0);
  const [chosen, setChosen] = useState();
  const [isBusy, setBusy] = useState(false);
  const kind = chosen ?? offered[0];
  if (!kind) return null;
  const start = async (event) => {
    event.preventDefault();
    const { kind: _, ...options } = Object.fromEntries(new FormData(event.target));
    setBusy(true);
    await onRun(`bulk ${kind}`, options);
    setBusy(false);
  };
  return html`
    <details class="begin">
      <summary>Start one</summary>
      <form class="filters" aria-label="Start a bulk" onSubmit=${start}>
        <label>
          What
          <select name="kind" value=${kind} onChange=${(event) => setChosen(event.target.value)}>
            ${offered.map((one) => html`<option key=${one} value=${one}>${kinds[one].title}</option>`)}
          </select>
        </label>
        <label>
          Channel
          <select name="channel">
            ${may(kinds[kind].needs).map(({ id }) => html`<option key=${id} value=${id}>/${id}</option>`)}
          </select>
        </label>
        ${kinds[kind].by.map((name) =>
          name === "user"
            ? html`<${UserField} key=${name} desk=${desk} label="Of this user" path="case list" />`
            : html`<${Field} key=${name} name=${name} ...${fields[name]} />`,
        )}
        <${Field} name="since" label="Since" maxlength="40" placeholder="2h or 2026-11-23 20:00" />
        <${Field} name="reason" label="Reason" maxlength="300" />
        <button class="button primary" disabled=${isBusy}>Find them…</button>
      </form>
    </details>
  `;
}

function Field({ label, ...rest }) {
  return html`<label>${label} <input autocomplete="off" ...${rest} /></label>`;
}
