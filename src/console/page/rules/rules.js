import { html } from "htm/preact";
import { withQuery } from "../location.js";
import { Problem, Waiting } from "../parts.js";
import { useAnswer } from "../use-answer.js";
import { Words } from "../view.js";
import { Editor } from "./editor.js";
import { Versions } from "./versions.js";

/** The rules of a server: those in force, an editor for one or all of them, and the versions before. */
export function Part(props) {
  const { server, place } = props;
  const path = `/console/${server.id}/rules`;
  const [what = "force"] = place.rest;
  const tabs = [
    ["force", "In force", path],
    ["edit", "Edit", `${path}/edit`],
    ["versions", "Versions", `${path}/versions`],
  ];
  const Shown = { edit: Editor, versions: Versions }[what] ?? InForce;
  return html`
    <header class="section-head">
      <h1>Rules</h1>
      <nav class="tabs" aria-label="Rules">
        ${tabs.map(
          ([id, title, href]) =>
            html`<a key=${id} href=${href} aria-current=${id === what ? "page" : undefined}>${title}</a>`,
        )}
      </nav>
    </header>
    <${Shown}
      key=${`${what} ${place.query.rule ?? ""} ${place.query.version ?? ""}`}
      ...${{ ...props, path }}
    />
  `;
}

const modes = ["off", "shadow", "review", "enforce"];

function InForce({ desk, place, path, version, onRun }) {
  const { answer, problem } = useAnswer(desk, withQuery("/rules", { after: place.query.after }), version);
  if (problem) return html`<${Problem} problem=${problem} />`;
  if (!answer) return html`<${Waiting} />`;
  const { rules, names, unreadable, next, exempt = [] } = answer;
  if (answer.version === 0)
    return html`<p class="empty">No rules yet. <a href=${`${path}/edit`}>Write the first one.</a></p>`;
  const choose = (rule, { target }) => {
    const mode = target.value;
    // It is in the mode that it was in until the question is answered.
    target.value = rule.mode;
    onRun("rule mode", { rule: rule.id, mode });
  };
  return html`
    <p class="dim">
      Version ${answer.version}. Exempt: ${exempt.join(" and ") || "nobody but Castellan itself"}. They run in
      this order.
    </p>
    ${unreadable && html`<${Problem} problem=${{ message: unreadable, names }} />`}
    ${rules.length === 0 && !unreadable && html`<p class="empty">The file holds no rules.</p>`}
    <ul class="items rules">
      ${rules.map(
        (rule) => html`
          <li
            key=${rule.id}
            class="card rule"
            data-item
            data-open=${`${path}/edit?rule=${rule.id}`}
            tabindex="0"
          >
            <p><${Words} text=${rule.line} names=${names} /></p>
            <div class="buttons">
              <label class="menu">
                <span class="visually-hidden">Mode of ${rule.id}</span>
                <select value=${rule.mode} onChange=${(event) => choose(rule, event)}>
                  ${modes.map((mode) => html`<option key=${mode} value=${mode}>${mode}</option>`)}
                </select>
              </label>
              <a class="button secondary" href=${`${path}/edit?rule=${rule.id}`}>
                Edit<span class="visually-hidden"> ${rule.id}</span>
              </a>
              <button class="button quiet" onClick=${() => onRun("rule show", { rule: rule.id })}>
                Decisions<span class="visually-hidden"> of ${rule.id}</span>
              </button>
            </div>
          </li>
        `,
      )}
    </ul>
    ${next && html`<a class="button secondary" href=${withQuery(path, { after: next })}>More rules</a>`}
  `;
}
