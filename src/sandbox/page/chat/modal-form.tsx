import type { TargetedSubmitEvent } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Markdown } from "../../../web/kit/markdown.tsx";
import type { ChatView } from "../../chat-pane/chat-view.ts";
import type { Modal, ModalField } from "../../discord/shapes/interaction.ts";
import type { ChatState, ChatStore } from "./chat-state.ts";
import { interact } from "./chat-store.ts";
import { namesIn, type ChatNames } from "./names.ts";
import { menuOptions } from "./components.tsx";
import { ComponentType, TextInputStyle } from "../discord-types.ts";

interface ModalFormProps {
  store: ChatStore;
  view: ChatView;
  opened: NonNullable<ChatState["modal"]>;
}

/** The form that the bot opened. */
export function ModalForm({ store, view, opened }: ModalFormProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [busy, setBusy] = useState(false);
  const { modal, interactionId, roomId } = opened;
  const guild = view.guilds.find(({ rooms }) => rooms.some(({ id }) => id === roomId));
  const names = namesIn(view, guild);
  const close = () => store.change({ modal: null, notice: null });
  useEffect(() => dialog.current?.showModal(), []);
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const fields = Object.fromEntries(
      [...new Set(data.keys())].map((key) => [key, data.getAll(key).map(String)]),
    );
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
  return (
    <dialog class="modal" ref={dialog} aria-labelledby="modal-title" onClose={close}>
      <form onSubmit={submit}>
        <h2 id="modal-title">{modal.title}</h2>
        {modal.components.map((component, index) => (
          <Part key={index} component={component} names={names} />
        ))}
        {store.state.notice && (
          <p class="notice" role="alert">
            {store.state.notice}
          </p>
        )}
        <div class="modal-buttons">
          <button type="button" class="button secondary" onClick={close}>
            Cancel
          </button>
          <button type="submit" class="button primary" disabled={busy}>
            Submit
          </button>
        </div>
      </form>
    </dialog>
  );
}

function Part({ component, names }: { component: Modal["components"][number]; names: ChatNames }) {
  if (component.type === ComponentType.TextDisplay)
    return <Markdown text={component.content} names={names} />;
  if (component.type === ComponentType.Label) {
    const { component: field, label, description } = component;
    return <LabelledField field={field} label={label} description={description} names={names} />;
  }
  return (
    <>
      {component.components.map((field) => (
        <LabelledField key={field.custom_id} field={field} label={field.label} names={names} />
      ))}
    </>
  );
}

interface LabelledFieldProps {
  field: ModalField;
  label: string | null | undefined;
  description?: string | null | undefined;
  names: ChatNames;
}

function LabelledField({ field, label, description, names }: LabelledFieldProps) {
  const id = `field-${field.custom_id}`;
  const required = field.required ?? true;
  return (
    <div class="modal-field">
      <label for={id}>
        {label}
        {required && (
          <span class="required" title="required">
            *
          </span>
        )}
      </label>
      {description && (
        <p class="dim" id={`${id}-about`}>
          {description}
        </p>
      )}
      <Field field={field} id={id} required={required} names={names} described={Boolean(description)} />
    </div>
  );
}

interface FieldProps {
  field: ModalField;
  id: string;
  required: boolean;
  names: ChatNames;
  described: boolean;
}

function Field({ field, id, required, names, described }: FieldProps) {
  const common = {
    id,
    name: field.custom_id,
    required,
    "aria-describedby": described ? `${id}-about` : undefined,
  };
  if (field.type !== ComponentType.TextInput) {
    const options = menuOptions(field, names);
    return (
      <select {...common} multiple={(field.max_values ?? 1) > 1}>
        {!required && <option value="">–</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.default ?? false}>
            {option.label}
          </option>
        ))}
      </select>
    );
  }
  const text = {
    ...common,
    minlength: field.min_length ?? undefined,
    maxlength: field.max_length ?? 4000,
    placeholder: field.placeholder ?? "",
  };
  return field.style === TextInputStyle.Paragraph ? (
    <textarea {...text} rows={5}>
      {field.value ?? ""}
    </textarea>
  ) : (
    <input type="text" autocomplete="off" {...text} value={field.value ?? ""} />
  );
}
