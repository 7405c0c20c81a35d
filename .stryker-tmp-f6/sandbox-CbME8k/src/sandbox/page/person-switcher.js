// @ts-nocheck
import { Avatar } from "./avatar.js";
import { html } from "htm/preact";

/** Whom one is: every pane acts and sees as this person. */
export function PersonSwitcher({ people, acting, onChoose }) {
  return html`
    <div class="people" role="radiogroup" aria-label="Acting as">
      <span class="people-label" aria-hidden="true">Acting as</span>
      ${people.map(
        (person) => html`
          <button
            key=${person.id}
            type="button"
            class="person"
            role="radio"
            aria-checked=${person.id === acting.id}
            title=${`${person.displayName} (${person.roles.join(", ") || "no role"})`}
            onClick=${() => onChoose(person.id)}
          >
            <${Avatar} id=${person.id} name=${person.displayName} small />
            <span class="person-name">${person.displayName}</span>
          </button>
        `,
      )}
    </div>
  `;
}
