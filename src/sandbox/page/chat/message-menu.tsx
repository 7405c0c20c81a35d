import type { TargetedFocusEvent, TargetedKeyboardEvent, TargetedMouseEvent } from "preact";
import { useRef, useState } from "preact/hooks";
import type { ChatGuild, ChatMessage } from "../../chat-pane/chat-view.ts";
import type { ChatStore } from "./chat-state.ts";
import { interact } from "./chat-store.ts";
import { moveMark } from "./list-box.tsx";
import { CommandType } from "../discord-types.ts";

type Command = ChatGuild["commands"][number];

/** A right click on a message opens its menu. On a link or selected text it opens the browser's own. */
export function openMenu(event: TargetedMouseEvent<HTMLElement>): void {
  const button = event.currentTarget.querySelector<HTMLElement>(".message-menu-button");
  const isLink = event.target instanceof Element && event.target.closest("a");
  if (!button || isLink || String(getSelection()) !== "") return;
  event.preventDefault();
  if (button.getAttribute("aria-expanded") !== "true") button.click();
}

/** Whether the focus only moved within an element. */
export function staysWithin({ currentTarget, relatedTarget }: TargetedFocusEvent<HTMLElement>): boolean {
  return relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
}

interface MessageMenuProps {
  message: ChatMessage;
  store: ChatStore;
  guild: ChatGuild;
}

/** The bot's context-menu commands for a message and its author. */
export function MessageMenu({ message, store, guild }: MessageMenuProps) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const forMessage = guild.commands.filter((command) => command.type === CommandType.Message);
  const forUser = message.author.bot
    ? []
    : guild.commands.filter((command) => command.type === CommandType.User);
  if (forMessage.length + forUser.length === 0) return null;
  const choose = (command: Command, target: string) => {
    setOpen(false);
    return interact(store, "/chat/menu", { command: command.name, target }, { label: command.name });
  };
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>) => {
    if (event.key === "Escape") close();
    if (!open || (event.key !== "ArrowDown" && event.key !== "ArrowUp")) return;
    event.preventDefault();
    const items = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=menuitem]")];
    const at = items.findIndex((item) => item === document.activeElement);
    items[moveMark(at, event.key, items.length)]?.focus();
  };
  const onFocusOut = (event: TargetedFocusEvent<HTMLElement>) => staysWithin(event) || setOpen(false);
  return (
    <div class={`message-menu ${open ? "open" : ""}`} onKeyDown={onKeyDown} onFocusOut={onFocusOut}>
      <button
        type="button"
        class="message-menu-button"
        ref={button}
        aria-label="Apps for this message"
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={(event) => {
          setOpen(!open);
          event.currentTarget.focus();
        }}
      >
        ⋯
      </button>
      {open && (
        <div class="popup" role="menu" ref={fitIntoFeed}>
          {forMessage.map((command) => (
            <Item key={command.id} command={command} onChoose={() => choose(command, message.id)} />
          ))}
          {forUser.map((command) => (
            <Item key={command.id} command={command} onChoose={() => choose(command, message.author.id)} />
          ))}
        </div>
      )}
    </div>
  );
}

/** The last message's menu has no space below. Always the same function, so it is called once, when the menu opens. */
function fitIntoFeed(menu: HTMLElement | null): void {
  const end = menu?.closest(".feed")?.getBoundingClientRect().bottom;
  if (menu && end !== undefined && menu.getBoundingClientRect().bottom > end) menu.classList.add("up");
}

function Item({ command, onChoose }: { command: Command; onChoose: () => Promise<unknown> }) {
  return (
    <button type="button" role="menuitem" onClick={onChoose}>
      {command.name}
    </button>
  );
}
