// @ts-nocheck
import { interact } from "./chat-store.js";
import { Attachments, ImageOrLink } from "./attachments.js";
import { paint } from "./embed.js";
import { Markdown } from "./markdown.js";
import { safeLink } from "./safe-link.js";
import { SelectMenu } from "./select-menu.js";
import { html } from "htm/preact";

const buttonLooks = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "secondary", 6: "primary" };

/** Buttons, menus and the layout blocks of components v2. */
export function Components({ components, ...context }) {
  return components.map(
    (component) => html`<${Component} key=${component.id} component=${component} ...${context} />`,
  );
}

function Component({ component, ...context }) {
  const Shape = shapes[component.type];
  return Shape ? html`<${Shape} component=${component} ...${context} />` : null;
}

function Row({ component, ...context }) {
  return html`<div class="row"><${Components} components=${component.components} ...${context} /></div>`;
}

function Button({ component, message, store, waiting }) {
  const { label, emoji, style, custom_id: customId, disabled, url } = component;
  const face = html`${emoji?.name && html`<span aria-hidden="true">${emoji.name}</span>`}${label}`;
  const href = safeLink(url);
  if (style === 5) {
    return html`<a class="button secondary" href=${href} target="_blank" rel="noreferrer"
      >${face} <span aria-hidden="true">↗</span></a
    >`;
  }
  const busy = waiting.some((one) => one.customId === customId && one.outcome === "sent");
  const press = () =>
    interact(store, "/chat/click", { message: message.id, customId }, { message: message.id, customId });
  return html`
    <button
      type="button"
      class=${`button ${buttonLooks[style]} ${busy ? "busy" : ""}`}
      disabled=${disabled || busy}
      aria-busy=${busy}
      onClick=${press}
    >
      ${face}
    </button>
  `;
}

function Section({ component, ...context }) {
  return html`
    <div class="section">
      <div class="section-text"><${Components} components=${component.components} ...${context} /></div>
      <${Component} component=${component.accessory} ...${context} />
    </div>
  `;
}

function Text({ component, names }) {
  return html`<div class="content"><${Markdown} text=${component.content} names=${names} /></div>`;
}

function Thumbnail({ component }) {
  return html`<div class="thumbnail">
    <${ImageOrLink} url=${component.media.url} description=${component.description} />
  </div>`;
}

function Gallery({ component }) {
  return html`
    <div class="gallery">
      ${component.items.map(
        (item, index) =>
          html`<${ImageOrLink} key=${index} url=${item.media.url} description=${item.description} />`,
      )}
    </div>
  `;
}

function File({ component, message }) {
  const file = message.attachments.find(({ url }) => url === component.file.url);
  return file ? html`<${Attachments} attachments=${[file]} />` : null;
}

function Separator({ component }) {
  return html`<hr class=${component.divider === false ? "gap" : "line"} />`;
}

function Container({ component, ...context }) {
  return html`
    <div class="container" ref=${paint(component.accent_color)}>
      <${Components} components=${component.components} ...${context} />
    </div>
  `;
}

const shapes = {
  1: Row,
  2: Button,
  3: SelectMenu,
  5: SelectMenu,
  6: SelectMenu,
  7: SelectMenu,
  8: SelectMenu,
  9: Section,
  10: Text,
  11: Thumbnail,
  12: Gallery,
  13: File,
  14: Separator,
  17: Container,
};
