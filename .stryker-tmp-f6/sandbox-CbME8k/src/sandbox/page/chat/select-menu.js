// @ts-nocheck
import { useState } from "preact/hooks";
import { interact } from "./chat-store.js";
import { html } from "htm/preact";

/** What a menu offers, by its type: its own options, or people, roles and rooms. */
export function menuOptions(component, { view, guild }) {
  const people = view.people.map(({ id, displayName }) => ({ value: id, label: `@${displayName}` }));
  const roles = (guild?.roles ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const rooms = (guild?.rooms ?? []).map(({ id, name }) => ({ value: id, label: `#${name}` }));
  const offered = { 3: component.options, 5: people, 6: roles, 7: [...people, ...roles], 8: rooms };
  return offered[component.type] ?? [];
}

export function SelectMenu({ component, message, store, names, waiting }) {
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
    if (!several && values.length > 0) void choose(values);
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
