import { html } from "htm/preact";
import { Markdown } from "../../web/kit/markdown.js";

/** Keys for what is done most, by the labels of buttons. */
export const keysOf = {
  Claim: "c",
  Release: "r",
  Approve: "a",
  Lift: "a",
  "Show again": "a",
  Hide: "h",
  Ban: "b",
  Dismiss: "d",
  Keep: "d",
  "Leave to the owner": "o",
  Undo: "u",
  Stop: "s",
  "Every target": "t",
  "Who is this?": "w",
};

/** An answer of Castellan's, as Discord shows it too: embeds, a menu, buttons. `names` by the ids of who and what is mentioned. */
export function View({ view, names, onPress, isBusy }) {
  const { content, embeds = [], pictures = [], files = [], menu, buttons = [] } = view;
  const known = toKnown(names);
  return html`
    ${content && html`<div class="words"><${Markdown} text=${content} names=${known} /></div>`}
    ${pictures.map(({ src, description }) => html`<img key=${src} class="picture" src=${src} alt=${description} />`)}
    ${embeds.map((embed, index) => html`<${Embed} key=${index} embed=${embed} names=${known} />`)}
    ${files.length > 0 && html`<div class="buttons">${files.map((file) => html`<${File} key=${file.name} file=${file} />`)}</div>`}
    ${menu && html`<${Menu} menu=${menu} onPress=${onPress} isBusy=${isBusy} />`}
    ${buttons
      .filter((row) => row.length > 0)
      .map(
        (row, index) => html`
          <div class="buttons" key=${index}>
            ${row.map(
              ({ customId, label, style }) => html`
                <button
                  key=${customId}
                  type="button"
                  class=${`button ${style}`}
                  data-key=${keysOf[label]}
                  aria-keyshortcuts=${keysOf[label]}
                  disabled=${isBusy}
                  onClick=${() => onPress(customId)}
                >
                  ${label}${keysOf[label] && html` <kbd aria-hidden="true">${keysOf[label]}</kbd>`}
                </button>
              `,
            )}
          </div>
        `,
      )}
  `;
}

/** A file that came with an answer, to be kept. */
function File({ file: { name, text } }) {
  const save = () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  };
  return html`<button type="button" class="button quiet" onClick=${save}>Save ${name}</button>`;
}

function Embed({ embed, names }) {
  const { title, description, fields = [], footer } = embed;
  return html`
    <div class="embed">
      ${title && html`<h2 class="embed-title"><${Markdown} text=${title} names=${names} inline /></h2>`}
      ${description && html`<div class="words"><${Markdown} text=${description} names=${names} /></div>`}
      ${
        fields.length > 0 &&
        html`
          <dl class="fields">
            ${fields.map(
              ({ name, value, inline }, index) => html`
                <div key=${index} class=${inline ? "field narrow" : "field"}>
                  <dt><${Markdown} text=${name} names=${names} inline /></dt>
                  <dd class="words"><${Markdown} text=${value} names=${names} /></dd>
                </div>
              `,
            )}
          </dl>
        `
      }
      ${footer && html`<p class="footer">${footer}</p>`}
    </div>
  `;
}

function Menu({ menu, onPress, isBusy }) {
  return html`
    <label class="menu">
      <span>${menu.placeholder}</span>
      <select disabled=${isBusy} onChange=${(event) => onPress(menu.customId, event.target.value)}>
        <option value="">Choose…</option>
        ${menu.options.map(({ label, value }) => html`<option key=${value} value=${value}>${label}</option>`)}
      </select>
    </label>
  `;
}

/** One line of our markdown. */
export function Words({ text, names }) {
  return html`<span class="words"><${Markdown} text=${text} names=${toKnown(names)} inline /></span>`;
}

/** Names in the form in which the markdown looks for them. */
function toKnown(names = {}) {
  const list = Object.entries(names).map(([id, name]) => ({ id, name, displayName: name }));
  return { view: { bot: {}, people: list }, guild: { roles: list, rooms: list } };
}
