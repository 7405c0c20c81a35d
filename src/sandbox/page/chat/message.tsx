import { useEffect, useState } from "preact/hooks";
import type { ChatGuild, ChatMessage, ChatView } from "../../chat-pane/chat-view.ts";
import { Avatar } from "../avatar.tsx";
import { Icon } from "../icon.tsx";
import type { ChatStore, Waiting } from "./chat-state.ts";
import { act, isPinged, writeCommand } from "./chat-store.ts";
import { Components } from "./components.tsx";
import { Embed } from "./embed.tsx";
import { Markdown } from "../../../web/kit/markdown.tsx";
import { Attachments } from "./media.tsx";
import { namesIn, type ChatNames } from "./names.ts";
import { MessageMenu, openMenu } from "./message-menu.tsx";
import { Clock, wakeIn } from "../../../web/kit/timestamp.tsx";
import { CommandType, MessageFlags } from "../discord-types.ts";

const tokenLife = 15 * 60_000;

interface MessageProps {
  message: ChatMessage;
  /** Whether it continues the previous message. */
  follows: boolean;
  /** Whether it is the first of its day. */
  newDay: boolean;
  store: ChatStore;
  view: ChatView;
  guild: ChatGuild | undefined;
  waiting: readonly Waiting[];
}

export function Message({ message, follows, newDay, store, view, guild, waiting }: MessageProps) {
  const names = namesIn(view, guild, (text) => writeCommand(store, text));
  const { author, visible_to: visibleTo } = message;
  const ephemeral = (message.flags & MessageFlags.Ephemeral) !== 0;
  const pinged = isPinged(message, store.state.userId, view);
  const looks = [follows && "follows", ephemeral && "ephemeral", pinged && "pinged"]
    .filter(Boolean)
    .join(" ");
  return (
    <>
      {newDay && (
        <div class="day">
          <Clock date={message.timestamp} style="D" />
        </div>
      )}
      <article
        class={`message ${looks}`}
        id={`message-${message.id}`}
        aria-label={`From ${author.global_name}`}
        onContextMenu={openMenu}
      >
        <Origin message={message} guild={guild} />
        {follows ? (
          <span class="margin-time">
            <Clock date={message.timestamp} style="t" />
          </span>
        ) : (
          <Avatar id={author.id} name={author.global_name} bot={author.bot} />
        )}
        <div class="message-body">
          {!follows && (
            <div class="message-head">
              <strong class={author.bot ? "name" : `name ${roleClass(view, author.id)}`}>
                {author.global_name}
              </strong>
              {author.bot && <span class="tag">APP</span>}
              <Clock date={message.timestamp} style="t" />
            </div>
          )}
          <Content message={message} names={names} />
          {message.embeds.map((embed, index) => (
            <Embed key={index} embed={embed} names={names} />
          ))}
          <Attachments attachments={message.attachments} />
          <Components
            components={message.components}
            message={message}
            store={store}
            names={names}
            waiting={waiting}
          />
          {waiting.some(({ outcome }) => outcome === "failed") && (
            <p class="failed-note" role="status">
              This interaction failed
            </p>
          )}
          {ephemeral && (
            <p class="only-you">
              <Icon sign="eye" /> Only you can see this ·{" "}
              <button
                type="button"
                class="link"
                onClick={() =>
                  act(store, "/chat/dismiss", { message: message.id, ...(visibleTo && { user: visibleTo }) })
                }
              >
                Dismiss message
              </button>
            </p>
          )}
        </div>
        {guild && <MessageMenu message={message} store={store} guild={guild} />}
      </article>
    </>
  );
}

function roleClass(view: ChatView, userId: string): string {
  const roles = view.people.find(({ id }) => id === userId)?.roles ?? [];
  if (roles.includes("Owner")) return "name-owner";
  return roles.length > 0 ? "name-role" : "";
}

/** What the message answers: a command that somebody used, or another message. */
function Origin({ message, guild }: { message: ChatMessage; guild: ChatGuild | undefined }) {
  const { interaction: command, referenced_message: replied } = message;
  if (command) {
    const isMenu = guild?.commands.some(
      ({ name, type }) => name === command.name && type !== CommandType.ChatInput,
    );
    return (
      <p class="origin">
        <span class="hook" aria-hidden="true"></span>
        <strong>{command.user.global_name}</strong> used
        <span class="command-name">
          {isMenu ? "" : "/"}
          {command.name}
        </span>
      </p>
    );
  }
  if (!replied) return null;
  return (
    <p class="origin">
      <span class="hook" aria-hidden="true"></span>
      <strong>{replied.author.global_name}</strong>
      <span class="replied">{replied.content || "a message"}</span>
    </p>
  );
}

function Content({ message, names }: { message: ChatMessage; names: ChatNames }) {
  const [, tick] = useState(0);
  const loading = (message.flags & MessageFlags.Loading) !== 0;
  const left = tokenLife - (Date.now() - Date.parse(message.timestamp));
  useEffect(() => {
    if (!loading || left < 0) return undefined;
    return wakeIn(left + 1, () => tick((count) => count + 1));
  });
  if (loading) {
    return left < 0 ? (
      <p class="failed-note">The application did not respond</p>
    ) : (
      <p class="thinking" role="status">
        <span class="dots" aria-hidden="true"></span>
        {message.author.global_name} is thinking…
      </p>
    );
  }
  if (!message.content) return null;
  return (
    <div class="content">
      <Markdown text={message.content} names={names} />
      {message.edited_timestamp && (
        <span class="edited" title={message.edited_timestamp}>
          (edited)
        </span>
      )}
    </div>
  );
}
