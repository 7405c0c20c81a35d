import { html } from "htm/preact";
import { withQuery } from "../location.js";
import { Problem, Waiting } from "../parts.js";
import { useAnswer } from "../use-answer.js";
import { Words } from "../view.js";
import { Differences } from "./differences.js";

/** Every version of the rules; with one in the address, what came with it and what it differs in from those in force. */
export function Versions(props) {
  const { desk, place, path, version } = props;
  const { before, version: shown } = place.query;
  const { answer, problem } = useAnswer(desk, withQuery("/rules/versions", { before }), version);
  if (shown) return html`<${Version} ...${props} number=${Number(shown)} />`;
  if (problem) return html`<${Problem} problem=${problem} />`;
  if (!answer) return html`<${Waiting} />`;
  const { versions, inForce, names, next } = answer;
  return html`
    <table class="cases">
      <thead>
        <tr>
          <th>Version</th>
          <th>What was changed</th>
          <th>By</th>
          <th>When</th>
        </tr>
      </thead>
      <tbody>
        ${versions.map((one) => {
          const at = `${path}/versions?version=${one.version}`;
          return html`
            <tr key=${one.version} data-item tabindex="0" data-open=${at}>
              <th scope="row" data-label="Version">
                <a href=${at}>Version ${one.version}</a>${one.version === inForce && " · in force"}
              </th>
              <td data-label="What was changed">${one.change}</td>
              <td data-label="By"><${Words} text=${one.by} names=${names} /></td>
              <td data-label="When"><${Words} text=${`<t:${Math.floor(one.at)}:R>`} /></td>
            </tr>
          `;
        })}
      </tbody>
    </table>
    ${next && html`<a class="button secondary" href=${`${path}/versions?before=${next}`}>Older ones</a>`}
  `;
}

/** One version beside the one in force, or beside the one before it. */
function Version({ desk, place, path, version, onRun, number }) {
  const at = (one) => `/rules/source?version=${one}`;
  const own = useAnswer(desk, at(number), 0);
  const current = useAnswer(desk, "/rules/source", version);
  const earlier = useAnswer(desk, number > 1 ? at(number - 1) : at(number), 0);
  const problem = own.problem ?? current.problem ?? earlier.problem;
  if (problem) return html`<${Problem} problem=${problem} />`;
  if (!own.answer || !current.answer || !earlier.answer) return html`<${Waiting} />`;
  const inForce = current.answer.version;
  const here = `${path}/versions?version=${number}`;
  const isLatest = number === inForce;
  const showsBefore = isLatest || place.query.against === "before";
  const before = number === 1 ? "" : earlier.answer.text;
  return html`
    <p><a href=${`${path}/versions`}>All versions</a></p>
    <h2>Version ${number}${isLatest && ", in force"}</h2>
    ${
      !isLatest &&
      html`
        <nav class="tabs" aria-label="Compare with">
          <a href=${here} aria-current=${showsBefore ? undefined : "page"}
            >What came since, up to version ${inForce}</a
          >
          <a href=${`${here}&against=before`} aria-current=${showsBefore ? "page" : undefined}
            >What came with it</a
          >
        </nav>
      `
    }
    ${
      showsBefore
        ? html`<${Differences} before=${before} after=${own.answer.text} />`
        : html`<${Differences} before=${own.answer.text} after=${current.answer.text} />`
    }
    <div class="buttons">
      ${
        !isLatest &&
        html`<button
          class="button danger"
          onClick=${() => onRun("rule rollback", { version: String(number) })}
        >
          Bring version ${number} back…
        </button>`
      }
      <a class="button secondary" href=${`${path}/edit?version=${number}`}>Edit it</a>
    </div>
  `;
}
