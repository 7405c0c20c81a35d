import { html } from "htm/preact";
import { useRef, useState } from "preact/hooks";
import { interact } from "./chat-store.js";
import { focusComposer } from "./composer.js";
import { paint } from "./embed.js";
import { Markdown } from "../../../web/kit/markdown.tsx";
import { Attachments, ImageOrLink } from "./media.js";
import { safeLink } from "../../../web/kit/link.tsx";
import { ButtonStyle, ComponentType } from "../discord-types.js";

const buttonLooks = {
  [ButtonStyle.Primary]: "primary",
  [ButtonStyle.Secondary]: "secondary",
  [ButtonStyle.Success]: "success",
  [ButtonStyle.Danger]: "danger",
  [ButtonStyle.Premium]: "primary",
};

/** Milliseconds. */
const doubleClick = 700;

/** Whoever clicks goes on typing where they typed. */
const keepFocus = (event) => event.preventDefault();

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
  if (style === ButtonStyle.Link) {
    return html`<a class="button secondary" href=${href} target="_blank" rel="noreferrer"
      >${face} <span aria-hidden="true">↗</span></a
    >`;
  }
  const busy = waiting.some((one) => one.customId === customId && one.outcome === "sent");
  const pressed = useRef(-Infinity);
  const press = async () => {
    // A double click is one press.
    if (busy || performance.now() - pressed.current < doubleClick) return;
    pressed.current = performance.now();
    await interact(
      store,
      "/chat/click",
      { message: message.id, customId },
      { message: message.id, customId },
    );
  };
  return html`
    <button
      type="button"
      class=${`button ${buttonLooks[style]} ${busy ? "busy" : ""}`}
      disabled=${disabled}
      aria-disabled=${Boolean(disabled || busy)}
      aria-busy=${busy}
      onMouseDown=${keepFocus}
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
  [ComponentType.ActionRow]: Row,
  [ComponentType.Button]: Button,
  [ComponentType.StringSelect]: SelectMenu,
  [ComponentType.UserSelect]: SelectMenu,
  [ComponentType.RoleSelect]: SelectMenu,
  [ComponentType.MentionableSelect]: SelectMenu,
  [ComponentType.ChannelSelect]: SelectMenu,
  [ComponentType.Section]: Section,
  [ComponentType.TextDisplay]: Text,
  [ComponentType.Thumbnail]: Thumbnail,
  [ComponentType.MediaGallery]: Gallery,
  [ComponentType.File]: File,
  [ComponentType.Separator]: Separator,
  [ComponentType.Container]: Container,
};

/** What a menu offers, by its type: its own options, or people, roles and rooms. */
export function menuOptions(component, { view, guild }) {
  const people = view.people.map(({ id, displayName }) => ({ value: id, label: `@${displayName}` }));
  const roles = (guild?.roles ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const rooms = (guild?.rooms ?? []).map(({ id, name }) => ({ value: id, label: `#${name}` }));
  const offered = {
    [ComponentType.StringSelect]: component.options,
    [ComponentType.UserSelect]: people,
    [ComponentType.RoleSelect]: roles,
    [ComponentType.MentionableSelect]: [...people, ...roles],
    [ComponentType.ChannelSelect]: rooms,
  };
  return offered[component.type] ?? [];
}

function SelectMenu({ component, message, store, names, waiting }) {
  const { custom_id: customId, placeholder, disabled, max_values: most, min_values: least } = component;
  const options = menuOptions(component, names);
  const preset = options.filter((option) => option.default).map(({ value }) => value);
  const [chosen, setChosen] = useState(preset);
  const several = (most ?? 1) > 1;
  const busy = waiting.some((one) => one.customId === customId && one.outcome === "sent");
  const choose = (values) =>
    interact(
      store,
      "/chat/select",
      { message: message.id, customId, values },
      { message: message.id, customId },
    );
  const onChange = ({ currentTarget }) => {
    const values = [...currentTarget.selectedOptions].map(({ value }) => value).filter(Boolean);
    setChosen(values);
    if (several || values.length === 0) return;
    void choose(values);
    focusComposer();
  };
  const fits = chosen.length >= (least ?? 1) && chosen.length <= (most ?? 1);
  return html`
    <div class="select">
      <select
        aria-label=${placeholder ?? "Choose"}
        multiple=${several}
        size=${several ? Math.min(options.length, 6) : undefined}
        disabled=${disabled || busy}
        onChange=${onChange}
      >
        ${!several && html`<option value="" selected=${chosen.length === 0}>${placeholder ?? "Make a selection"}</option>`}
        ${options.map(
          (option) => html`
            <option key=${option.value} value=${option.value} selected=${chosen.includes(option.value)}>
              ${option.emoji?.name ? `${option.emoji.name} ` : ""}${option.label}${
                option.description ? ` – ${option.description}` : ""
              }
            </option>
          `,
        )}
      </select>
      ${
        several &&
        html`<button
          type="button"
          class="button secondary"
          disabled=${!fits || busy}
          onClick=${() => choose(chosen)}
        >
          Choose
        </button>`
      }
    </div>
  `;
}
