import type { TargetedEvent, TargetedMouseEvent } from "preact";
import { useRef, useState } from "preact/hooks";
import { Link } from "../../../web/kit/link.tsx";
import { Markdown } from "../../../web/kit/markdown.tsx";
import type { ChatMessage } from "../../chat-pane/chat-view.ts";
import type { AnyComponent } from "../../discord/shapes/component.ts";
import type { ModalField } from "../../discord/shapes/interaction.ts";
import { ButtonStyle, ComponentType } from "../discord-types.ts";
import type { ChatStore, Waiting } from "./chat-state.ts";
import { interact } from "./chat-store.ts";
import { focusComposer } from "./composer.tsx";
import { barOf } from "./embed.tsx";
import { Attachments, ImageOrLink } from "./media.tsx";
import type { ChatNames } from "./names.ts";

/** The message's data that its components need. */
interface Context {
  message: ChatMessage;
  store: ChatStore;
  names: ChatNames;
  waiting: readonly Waiting[];
}

type Of<T> = Extract<AnyComponent, { type: T }>;
type ButtonComponent = Of<typeof ComponentType.Button>;
type Menu = Exclude<ModalField, { type: typeof ComponentType.TextInput }>;

const buttonLooks: Readonly<Record<number, string>> = {
  [ButtonStyle.Primary]: "primary",
  [ButtonStyle.Secondary]: "secondary",
  [ButtonStyle.Success]: "success",
  [ButtonStyle.Danger]: "danger",
  [ButtonStyle.Premium]: "primary",
};

/** Milliseconds. */
const doubleClick = 700;

/** Clicking does not move the focus away from the input. */
const keepFocus = (event: TargetedMouseEvent<HTMLElement>) => event.preventDefault();

/** Buttons, menus and the layout blocks of components v2. */
export function Components({ components, ...context }: Context & { components: readonly AnyComponent[] }) {
  return (
    <>
      {components.map((component) => (
        <Component key={component.id} component={component} {...context} />
      ))}
    </>
  );
}

function Component({ component, ...context }: Context & { component: AnyComponent }) {
  switch (component.type) {
    case ComponentType.ActionRow:
      return <Block name="row" components={component.components} {...context} />;
    case ComponentType.Button:
      if (component.style === ButtonStyle.Link) return <LinkButton component={component} />;
      return <Button component={component} {...context} />;
    case ComponentType.Section:
      return (
        <div class="section">
          <Block name="section-text" components={component.components} {...context} />
          <Component component={component.accessory} {...context} />
        </div>
      );
    case ComponentType.TextDisplay:
      return (
        <div class="content">
          <Markdown text={component.content} names={context.names} />
        </div>
      );
    case ComponentType.Thumbnail:
      return (
        <div class="thumbnail">
          <ImageOrLink url={component.media.url} description={component.description} />
        </div>
      );
    case ComponentType.MediaGallery:
      return (
        <div class="gallery">
          {component.items.map((item, index) => (
            <ImageOrLink key={index} url={item.media.url} description={item.description} />
          ))}
        </div>
      );
    case ComponentType.File: {
      const files = context.message.attachments.filter(({ url }) => url === component.file.url);
      return <Attachments attachments={files.slice(0, 1)} />;
    }
    case ComponentType.Separator:
      return <hr class={component.divider === false ? "gap" : "line"} />;
    case ComponentType.Container:
      return (
        <div class="container" style={barOf(component.accent_color)}>
          <Components components={component.components} {...context} />
        </div>
      );
    default:
      return <SelectMenu component={component} {...context} />;
  }
}

interface BlockProps extends Context {
  name: string;
  components: readonly AnyComponent[];
}

function Block({ name, ...inside }: BlockProps) {
  return (
    <div class={name}>
      <Components {...inside} />
    </div>
  );
}

function Face({ component: { label, emoji } }: { component: ButtonComponent }) {
  return (
    <>
      {emoji?.name && <span aria-hidden="true">{emoji.name}</span>}
      {label}
    </>
  );
}

function LinkButton({ component }: { component: ButtonComponent }) {
  return (
    <Link class="button secondary" url={component.url}>
      <Face component={component} /> <span aria-hidden="true">↗</span>
    </Link>
  );
}

function Button({ component, message, store, waiting }: Context & { component: ButtonComponent }) {
  const { style, custom_id: customId, disabled } = component;
  const busy = isSent(waiting, customId);
  const pressed = useRef(-Infinity);
  const press = async () => {
    // A double click counts as one click.
    if (!customId || busy || performance.now() - pressed.current < doubleClick) return;
    pressed.current = performance.now();
    const place = { message: message.id, customId };
    await interact(store, "/chat/click", place, place);
  };
  return (
    <button
      type="button"
      class={`button ${buttonLooks[style]} ${busy ? "busy" : ""}`}
      disabled={disabled ?? false}
      aria-disabled={disabled || busy}
      aria-busy={busy}
      onMouseDown={keepFocus}
      onClick={press}
    >
      <Face component={component} />
    </button>
  );
}

function isSent(waiting: readonly Waiting[], customId: string | null | undefined): boolean {
  return waiting.some((one) => one.customId === customId && one.outcome === "sent");
}

interface MenuOption {
  value: string;
  label: string;
  description?: string | null | undefined;
  emoji?: { name?: string | null | undefined } | null | undefined;
  default?: boolean | null | undefined;
}

/** A menu's choices by its type: its own options, or people, roles and rooms. */
export function menuOptions(menu: Menu, { view, guild }: ChatNames): readonly MenuOption[] {
  const people = view.people.map(({ id, displayName }) => ({ value: id, label: `@${displayName}` }));
  const roles = (guild?.roles ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const rooms = (guild?.rooms ?? []).map(({ id, name }) => ({ value: id, label: `#${name}` }));
  if (menu.type === ComponentType.StringSelect) return menu.options;
  if (menu.type === ComponentType.UserSelect) return people;
  if (menu.type === ComponentType.RoleSelect) return roles;
  return menu.type === ComponentType.ChannelSelect ? rooms : [...people, ...roles];
}

function SelectMenu({ component, message, store, names, waiting }: Context & { component: Menu }) {
  const { custom_id: customId, placeholder, disabled } = component;
  const [least, most] = [component.min_values ?? 1, component.max_values ?? 1];
  const options = menuOptions(component, names);
  const preset = options.filter((option) => option.default).map(({ value }) => value);
  const [chosen, setChosen] = useState(preset);
  const several = most > 1;
  const busy = isSent(waiting, customId);
  const choose = (values: string[]) => {
    const place = { message: message.id, customId };
    return interact(store, "/chat/select", { ...place, values }, place);
  };
  const onChange = ({ currentTarget }: TargetedEvent<HTMLSelectElement>) => {
    const values = [...currentTarget.selectedOptions].map(({ value }) => value).filter(Boolean);
    setChosen(values);
    if (several || values.length === 0) return;
    void choose(values);
    focusComposer();
  };
  const fits = chosen.length >= least && chosen.length <= most;
  return (
    <div class="select">
      <select
        aria-label={placeholder ?? "Choose"}
        multiple={several}
        size={several ? Math.min(options.length, 6) : undefined}
        disabled={Boolean(disabled) || busy}
        onChange={onChange}
      >
        {!several && (
          <option value="" selected={chosen.length === 0}>
            {placeholder ?? "Make a selection"}
          </option>
        )}
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={chosen.includes(option.value)}>
            {option.emoji?.name ? `${option.emoji.name} ` : ""}
            {option.label}
            {option.description ? ` – ${option.description}` : ""}
          </option>
        ))}
      </select>
      {several && (
        <button
          type="button"
          class="button secondary"
          disabled={!fits || busy}
          onClick={() => choose(chosen)}
        >
          Choose
        </button>
      )}
    </div>
  );
}
