import type { TargetedKeyboardEvent } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ChatGuild, ChatPerson, ChatRoom, ChatView } from "../../chat-pane/chat-view.ts";
import type { ChatState, ChatStore } from "./chat-state.ts";
import { act } from "./chat-store.ts";
import { CommandForm } from "./command-form.tsx";
import { ListBox, moveMark } from "./list-box.tsx";
import {
  commandMistake,
  findCommands,
  readTypedCommand,
  runnableCommands,
  type Typed,
} from "./typed-command.ts";

interface ComposerProps {
  store: ChatStore;
  state: ChatState;
  view: ChatView;
  room: ChatRoom;
  guild: ChatGuild | undefined;
  acting: ChatPerson;
}

/** The input: plain text, or after a slash a command with its options. */
export function Composer({ store, state, view, room, guild, acting }: ComposerProps) {
  const [typed, setTyped] = useState<(Typed & { id?: number }) | null>(null);
  const { notice, draft } = state;
  useTypingAnywhere();
  // A command that was clicked in a message replaces the draft.
  useEffect(() => {
    if (!draft) return;
    const runnable = runnableCommands(guild?.commands ?? []);
    const command = readTypedCommand(runnable, draft.text);
    setTyped(command && { ...command, id: draft.id });
    store.change({ draft: null, notice: command ? null : commandMistake(runnable, draft.text) });
  }, [draft]);
  return (
    <div class="composer">
      {notice && (
        <p class="notice" role="alert">
          {notice}
        </p>
      )}
      {typed ? (
        <CommandForm
          key={`${typed.command.path} ${typed.id ?? ""}`}
          store={store}
          view={view}
          guild={guild}
          command={typed.command}
          given={typed.given}
          onDone={() => setTyped(null)}
        />
      ) : (
        <TextInput store={store} room={room} guild={guild} acting={acting} onCommand={setTyped} />
      )}
    </div>
  );
}

/** As in Discord, typing without a focused field goes here. */
function useTypingAnywhere() {
  useEffect(() => {
    const onKeyDown = ({ key, target, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent) => {
      const isFree =
        target === document.body || (target instanceof Element && target.classList.contains("feed"));
      if (!isFree || key.length !== 1 || key === " " || ctrlKey || metaKey || altKey || isComposing) return;
      focusComposer();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

export function focusComposer(): void {
  document.querySelector<HTMLElement>(".composer [role=combobox]")?.focus();
}

interface TextInputProps extends Omit<ComposerProps, "state" | "view"> {
  onCommand: (typed: Typed) => void;
}

function TextInput({ store, room, guild, acting, onCommand }: TextInputProps) {
  const input = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState("");
  const [marked, setMarked] = useState(0);
  useEffect(() => {
    // Keyboard users who step through the people keep their focus.
    if (!document.querySelector(".people :focus-visible")) input.current?.focus();
  }, []);
  const isCommand = text.startsWith("/");
  const runnable = runnableCommands(guild?.commands ?? []);
  const found = isCommand ? findCommands(runnable, text.slice(1)) : [];
  const items = found.map((command) => ({
    key: command.path,
    label: `/${command.path}`,
    hint: command.description,
    command,
  }));
  const choose = ({ command }: { command: Typed["command"] }) => onCommand({ command, given: {} });
  const write = (value: string) => {
    const typed = value.startsWith("/") ? readTypedCommand(runnable, value) : null;
    store.change({ notice: typed?.mistake ?? null });
    // After a complete name and a space the input is a command form, as in Discord.
    if (typed) return onCommand(typed);
    setText(value);
    setMarked(0);
  };
  const onKeyDown = async (event: TargetedKeyboardEvent<HTMLTextAreaElement>) => {
    if (event.isComposing) return;
    if (isCommand && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      setMarked(moveMark(marked, event.key, items.length));
    } else if (isCommand && (event.key === "Tab" || event.key === "Enter") && items[marked]) {
      event.preventDefault();
      choose(items[marked]);
    } else if (event.key === "Escape") {
      write("");
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      if (isCommand) store.change({ notice: commandMistake(runnable, text) });
      else if (text.trim() !== "" && (await act(store, "/chat/say", { content: text }))) setText("");
    }
  };
  const name = room.direct ? "the bot" : `#${room.name}`;
  return (
    <>
      {isCommand && items.length > 0 && (
        <ListBox id="commands" label="Commands" items={items} marked={marked} onChoose={choose} />
      )}
      <textarea
        ref={input}
        class="text-input"
        rows={1}
        maxlength={2000}
        value={text}
        placeholder={`Message ${name} as ${acting.displayName}, or type / for commands`}
        aria-label={`Message ${name}`}
        // The type definitions allow no other role for this element than its own.
        role={"combobox" as "textbox"}
        aria-autocomplete="list"
        aria-expanded={isCommand && items.length > 0}
        aria-controls="commands"
        aria-activedescendant={isCommand && items[marked] ? `commands-${marked}` : undefined}
        onInput={(event) => write(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      ></textarea>
    </>
  );
}
