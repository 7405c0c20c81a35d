import type { ChatGuild } from "../../chat-pane/chat-view.ts";
import type { ChatStore } from "./chat-state.ts";
import { openRoom, writeCommand } from "./chat-store.ts";

interface WelcomeProps {
  store: ChatStore;
  guild: ChatGuild;
  onBe: (userId: string) => void;
}

/** The first minutes with the sample network, at the top of the first room. Each step can be started from here. */
export function Welcome({ store, guild, onBe }: WelcomeProps) {
  const person = (name: string) => {
    const found = store.state.view?.people.find(({ username }) => username === name);
    return (
      <button type="button" class="mention" onClick={() => found && onBe(found.id)}>
        @{name}
      </button>
    );
  };
  const enter = async (name: string) => {
    const found = guild.rooms.find((one) => one.name === name);
    if (found) await openRoom(store, found.id);
  };
  const room = (name: string) => (
    <button type="button" class="mention" onClick={() => enter(name)}>
      #{name}
    </button>
  );
  // A command acts on the room it is sent in, so the step first opens its room.
  const command = (text: string, place?: string) => (
    <button
      type="button"
      class="mention"
      onClick={() => {
        if (place) void enter(place);
        writeCommand(store, `/${text} `);
      }}
    >
      /{text}
    </button>
  );
  const inGarden = (text: string) => command(text, "garden-feed");
  return (
    <section class="welcome" aria-label="Welcome">
      <h3>Welcome to {guild.name}</h3>
      <p>
        Your own Discord, with Castellan in it and a small Farcaster network next to it. Nothing here leaves
        this machine. Click anything that is marked.
      </p>
      <ol>
        <li>
          Look into {room("market-feed")}: it follows the channel <b>/night-market</b>. Within a minute a
          spammer turns up there, and a rule hides the lure and bans the account.
        </li>
        <li>
          Be {person("ada")}, who owns <b>/garden</b>. In the network pane open /garden and invite fid 9001,
          which is Castellan, as moderator: only an owner can.
        </li>
        <li>
          Still as ada, in {room("garden-feed")}: {inGarden("setup link channel:garden")}, then{" "}
          {inGarden("feed add channel:garden")}, and the room hears of /garden.
        </li>
        <li>
          Be {person("mo")}, who moderates it, in the same room: {inGarden("ban")}, {inGarden("hide")},{" "}
          {inGarden("pin")}, {inGarden("invite")}.
        </li>
        <li>
          Be {person("nia")}, whom mo has invited, and accept in the network pane. Be {person("sam")}, a
          stranger, and see what is refused.
        </li>
      </ol>
      <p>
        {command("help")} lists the commands; {command("status")} says what is wrong and how to fix it.
      </p>
    </section>
  );
}
