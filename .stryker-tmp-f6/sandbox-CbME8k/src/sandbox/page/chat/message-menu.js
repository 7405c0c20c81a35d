// @ts-nocheck
import { useRef, useState } from "preact/hooks";
import { interact } from "./chat-store.js";
import { html } from "htm/preact";

const type = { user: 2, message: 3 };

/** The context-menu commands of the bot for a message and for the one who wrote it. */
export function MessageMenu({ message, store, guild }) {
  const [open, setOpen] = useState(false);
  const button = useRef(null);
  const forMessage = guild.commands.filter((command) => command.type === type.message);
  const forUser = message.author.bot ? [] : guild.commands.filter((command) => command.type === type.user);
  if (forMessage.length + forUser.length === 0) return null;
  const choose = (command, target) => {
    setOpen(false);
    return interact(store, "/chat/menu", { command: command.name, target }, { label: command.name });
  };
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const onFocusOut = (event) => event.currentTarget.contains(event.relatedTarget) || setOpen(false);
  return html`
    <div
      class=${`message-menu ${open ? "open" : ""}`}
      onKeyDown=${(event) => event.key === "Escape" && close()}
      onFocusOut=${onFocusOut}
    >
      <button
        type="button"
        class="message-menu-button"
        ref=${button}
        aria-label="Apps for this message"
        aria-haspopup="menu"
        aria-expanded=${open}
        onClick=${() => setOpen(!open)}
      >
        ⋯
      </button>
      ${
        open &&
        html`
          <div class="popup" role="menu">
            ${forMessage.map((command) => html`<${Item} key=${command.id} command=${command} onChoose=${() => choose(command, message.id)} />`)}
            ${forUser.map((command) => html`<${Item} key=${command.id} command=${command} onChoose=${() => choose(command, message.author.id)} />`)}
          </div>
        `
      }
    </div>
  `;
}

function Item({ command, onChoose }) {
  return html`<button type="button" role="menuitem" onClick=${onChoose}>${command.name}</button>`;
}
