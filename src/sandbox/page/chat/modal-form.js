import { useEffect, useRef, useState } from "preact/hooks";
import { interact } from "./chat-store.js";
import { Markdown } from "../../../web/kit/markdown.tsx";
import { namesIn } from "./names.js";
import { menuOptions } from "./components.js";
import { html } from "htm/preact";
import { ComponentType, TextInputStyle } from "../discord-types.js";

/** The form that the bot opened. */
export function ModalForm({ store, view, opened }) {
  const dialog = useRef(null);
  const [busy, setBusy] = useState(false);
  const { modal, interactionId, roomId } = opened;
  const guild = view.guilds.find(({ rooms }) => rooms.some(({ id }) => id === roomId));
  const names = namesIn(view, guild);
  const close = () => store.change({ modal: null, notice: null });
  useEffect(() => dialog.current?.showModal(), []);
  const submit = async (event) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const fields = Object.fromEntries([...new Set(data.keys())].map((key) => [key, data.getAll(key)]));
    setBusy(true);
    const sent = await interact(
      store,
      "/chat/modal",
      { room: roomId, interaction: interactionId, fields },
      { label: modal.title },
    );
    setBusy(false);
    if (sent) close();
  };
  return html`
    <dialog class="modal" ref=${dialog} aria-labelledby="modal-title" onClose=${close}>
      <form onSubmit=${submit}>
        <h2 id="modal-title">${modal.title}</h2>
        ${modal.components.map((component, index) => html`<${Part} key=${index} component=${component} names=${names} />`)}
        ${store.state.notice && html`<p class="notice" role="alert">${store.state.notice}</p>`}
        <div class="modal-buttons">
          <button type="button" class="button secondary" onClick=${close}>Cancel</button>
          <button type="submit" class="button primary" disabled=${busy}>Submit</button>
        </div>
      </form>
    </dialog>
  `;
}

function Part({ component, names }) {
  if (component.type === ComponentType.TextDisplay)
    return html`<${Markdown} text=${component.content} names=${names} />`;
  const field = component.type === ComponentType.Label ? component.component : component.components[0];
  const id = `field-${field.custom_id}`;
  const required = field.required ?? true;
  return html`
    <div class="modal-field">
      <label for=${id}
        >${component.label ?? field.label}${required && html`<span class="required" title="required">*</span>`}</label
      >
      ${component.description && html`<p class="dim" id=${`${id}-about`}>${component.description}</p>`}
      <${Field}
        field=${field}
        id=${id}
        required=${required}
        names=${names}
        described=${Boolean(component.description)}
      />
    </div>
  `;
}

function Field({ field, id, required, names, described }) {
  const common = {
    id,
    name: field.custom_id,
    required,
    "aria-describedby": described ? `${id}-about` : undefined,
  };
  if (field.type !== ComponentType.TextInput) {
    const options = menuOptions(field, names);
    return html`
      <select ...${common} multiple=${(field.max_values ?? 1) > 1}>
        ${!required && html`<option value="">–</option>`}
        ${options.map(
          (option) =>
            html`<option key=${option.value} value=${option.value} selected=${option.default}>
              ${option.label}
            </option>`,
        )}
      </select>
    `;
  }
  const text = {
    ...common,
    minlength: field.min_length ?? undefined,
    maxlength: field.max_length ?? 4000,
    placeholder: field.placeholder ?? "",
  };
  return field.style === TextInputStyle.Paragraph
    ? html`<textarea ...${text} rows="5">${field.value ?? ""}</textarea>`
    : html`<input type="text" autocomplete="off" ...${text} value=${field.value ?? ""} />`;
}
