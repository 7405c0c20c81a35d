import { useEffect, useState } from "/modules/hooks.js";
import { render } from "/modules/preact.js";
import { askFor } from "/page/ask.js";
import { html } from "/page/html.js";
import { panes } from "/page/panes.js";
import { PersonSwitcher } from "/page/person-switcher.js";

const remembered = "castellan.acting";

function Shell() {
  const [people, setPeople] = useState([]);
  const [actingId, setActingId] = useState(localStorage.getItem(remembered));
  const [shown, setShown] = useState(panes[0].id);
  useEffect(() => {
    const load = () => askFor("/chat/people").then(setPeople, () => setTimeout(load, 1000));
    load();
  }, []);
  const acting = people.find((person) => person.id === actingId) ?? people[0];
  const choose = (id) => {
    localStorage.setItem(remembered, id);
    setActingId(id);
  };
  return html`
    <header class="bar">
      <h1 class="brand">
        <img src="/page/castle.svg" alt="" width="26" height="26" />Castellan <span>sandbox</span>
      </h1>
      ${panes.length > 1 && html`<${PaneTabs} shown=${shown} onShow=${setShown} />`}
      ${acting && html`<${PersonSwitcher} people=${people} acting=${acting} onChoose=${choose} />`}
    </header>
    <main class="panes" data-shown=${shown}>
      ${
        acting
          ? panes.map(
              ({ id, title, Pane }) => html`
                <section key=${id} id=${`pane-${id}`} class="pane" aria-label=${title} data-pane=${id}>
                  <${Pane} acting=${acting} people=${people} />
                </section>
              `,
            )
          : html`<p class="waiting" role="status">Waiting for the sandbox…</p>`
      }
    </main>
  `;
}

/** Only a narrow page needs them: a wide one shows its panes beside each other. */
function PaneTabs({ shown, onShow }) {
  return html`
    <nav class="tabs" aria-label="Panes">
      ${panes.map(
        ({ id, title }) => html`
          <button key=${id} type="button" aria-pressed=${shown === id} onClick=${() => onShow(id)}>
            ${title}
          </button>
        `,
      )}
    </nav>
  `;
}

render(html`<${Shell} />`, document.getElementById("sandbox"));
