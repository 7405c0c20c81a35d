import { html } from "htm/preact";
import { useRef, useState } from "preact/hooks";
import { Problem, Waiting } from "./parts.js";
import { useAnswer } from "./use-answer.js";
import { View } from "./view.js";

/** One case, with what was written beside it. */
export function Case({ desk, server, place, version, onPress, onRun }) {
  const [channel = "", number = ""] = place.rest;
  const at = `/cases/${encodeURIComponent(channel)}/${encodeURIComponent(number)}`;
  const { answer, problem } = useAnswer(desk, at, version);
  return html`
    <p>
      <a href=${`/console/${server.id}/cases?channel=${encodeURIComponent(channel)}`}>Cases of /${channel}</a>
    </p>
    <h1 class="visually-hidden">Case ${number}</h1>
    ${problem && html`<${Problem} problem=${problem} />`}
    ${
      answer &&
      html`
        <article class="card" data-item tabindex="0" aria-label=${`Case ${number}`}>
          <${View} view=${answer.view} names=${answer.names} onPress=${onPress} />
        </article>
        ${answer.edits && html`<${EditCase} key=${at} ...${{ edits: answer.edits, channel, number, onRun }} />`}
      `
    }
    ${!answer && !problem && html`<${Waiting} />`}
  `;
}

const ends = ["for good", "1h", "6h", "1d", "3d", "7d", "30d"];

/** What may be written of it anew: each by the command that does it in Discord. */
function EditCase({ edits, channel, number, onRun }) {
  const [isBusy, setBusy] = useState(false);
  const run = async (path, typed, said) => {
    setBusy(true);
    try {
      return await onRun(path, { number, channel, ...typed }, said);
    } finally {
      setBusy(false);
    }
  };
  return html`
    <section class="edits" aria-label="Edit this case">
      <${Line}
        label="Reason"
        button="Save the reason"
        value=${edits.reason}
        isBusy=${isBusy}
        onSave=${(reason) => run("case reason", { reason }, "The reason is saved.")}
        isFirst
      />
      <${Line}
        label="Comment, for the other moderators"
        button="Add the comment"
        value=""
        isBusy=${isBusy}
        onSave=${(text) => run("case comment", { text }, "The comment is saved.")}
      />
      ${
        edits.duration &&
        html`<${Line}
          label="Ends, counted from now"
          button="Change the end…"
          value=""
          choices=${ends}
          placeholder="6h, 7d or: for good"
          maxlength="20"
          isBusy=${isBusy}
          onSave=${(duration) => run("case duration", { duration })}
        />`
      }
    </section>
  `;
}

/** One thing to write. What was typed stays until it is saved, whatever else changes. */
function Line({ label, button, value, choices = [], isBusy, onSave, isFirst, ...rest }) {
  const field = useRef(null);
  const [typed, setTyped] = useState();
  const save = async (event) => {
    event.preventDefault();
    if (await onSave(field.current.value)) setTyped(undefined);
  };
  const list = choices.length > 0 ? "choices-of-end" : undefined;
  return html`
    <form class="line" onSubmit=${save}>
      <label>
        ${label}
        <input
          ref=${field}
          required
          maxlength="500"
          autocomplete="off"
          list=${list}
          value=${typed ?? value}
          onInput=${(event) => setTyped(event.target.value)}
          data-edit=${isFirst}
          ...${rest}
        />
        ${list && html`<datalist id=${list}>${choices.map((one) => html`<option key=${one} value=${one} />`)}</datalist>`}
      </label>
      <button class="button secondary" disabled=${isBusy}>${button}</button>
    </form>
  `;
}
