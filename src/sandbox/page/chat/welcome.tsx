import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Link } from "../../../web/kit/link.tsx";
import type { ChatGuild, ChatMessage, ChatView } from "../../chat-pane/chat-view.ts";
import { askFor } from "../ask.ts";
import { Icon } from "../icon.tsx";
import { refreshEvery } from "../network-pane.tsx";
import { botFid, readStanding } from "../network.ts";
import type { PaneProps } from "../pane-props.ts";
import type { ChatStore } from "./chat-state.ts";
import { openedRooms, openRoom, writeCommand } from "./chat-store.ts";

interface WelcomeProps extends Pick<PaneProps, "onBe" | "onChannel"> {
  store: ChatStore;
  view: ChatView;
  guild: ChatGuild;
}

/** The first minutes with the sample network, at the top of the first room. Each step can be started from here. */
export function Welcome({ store, view, guild, onBe, onChannel }: WelcomeProps) {
  const done = useProgress(view, guild);
  const person = (name: string) => {
    const found = findPerson(view, name);
    return (
      <button type="button" class="mention" onClick={() => found && onBe(found.id)}>
        @{name}
      </button>
    );
  };
  const enter = async (name: string) => {
    const found = findRoom(guild, name);
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
        Your own Discord, with Castellan in it and a small Farcaster network next to it. On Farcaster, a post
        is called a <b>cast</b>. Every account has a number, its <b>fid</b>. Nothing here leaves this machine.
        Click anything that is marked.
      </p>
      <ol>
        <Step done={done?.opened}>
          Open {room("market-feed")}: it follows the channel <b>/night-market</b>. Within a minute a spammer
          appears there. A rule hides the cast and bans the account.
        </Step>
        <Step done={done?.banned}>
          Act as {person("mo")}, a moderator of /night-market, and ban somebody for a day:{" "}
          {command("ban duration:1d", "market-feed")}.
        </Step>
        <Step done={done?.invited}>
          Act as {person("ada")}, who owns{" "}
          <button type="button" class="mention" onClick={() => onChannel("garden")}>
            /garden
          </button>
          . In the network pane, under <b>Invite</b>, invite fid {botFid}, which is Castellan, as moderator.
          Only an owner can do that.
        </Step>
        <Step done={done?.linked}>
          Still as ada: {inGarden("setup link channel:garden")}, then {inGarden("feed add channel:garden")}.
          From now on {room("garden-feed")} shows what happens in /garden.
        </Step>
        <Step done={done?.acted}>
          As {person("mo")}, in the same room: {inGarden("hide")}, {inGarden("pin")},{" "}
          {inGarden("invite user:nia")}.
        </Step>
        <Step done={done?.joined}>Act as {person("nia")} and accept the invite in the network pane.</Step>
      </ol>
      <p>
        Act as {person("sam")}, a stranger, to see what is refused. {command("help")} lists the commands;{" "}
        {command("status")} says what is wrong and how to fix it.
        {view.console !== undefined && (
          <>
            {" "}
            Moderators can do the same in a browser: <Link url={view.console}>the console</Link>.
          </>
        )}
      </p>
    </section>
  );
}

function Step({ done = false, children }: { done?: boolean | undefined; children: ComponentChildren }) {
  return (
    <li class={done ? "done" : ""}>
      {children} {done && <Icon sign="tick" title="Done" />}
    </li>
  );
}

/** The account that the steps invite. */
const niaFid = 4;

/** The steps that are done, as the rooms and the network show them. */
function useProgress(view: ChatView, guild: ChatGuild) {
  const [progress, setProgress] = useState<Progress | null>(null);
  useEffect(() => {
    let isReading = false;
    const refresh = async (): Promise<void> => {
      if (isReading) return;
      isReading = true;
      await readProgress(view, guild).then(setProgress, () => {});
      isReading = false;
    };
    void refresh();
    const timer = setInterval(() => void refresh(), refreshEvery);
    return () => clearInterval(timer);
  }, [view]);
  return progress;
}

type Progress = Awaited<ReturnType<typeof readProgress>>;

async function readProgress(view: ChatView, guild: ChatGuild) {
  const [ada, mo] = [findPerson(view, "ada"), findPerson(view, "mo")];
  const market = findRoom(guild, "market-feed")?.id ?? "";
  const read = (room: string) => askFor("/chat/messages", { user: ada?.id, room }) as Promise<ChatMessage[]>;
  const [inMarket, inGarden, garden] = await Promise.all([
    read(market),
    read(findRoom(guild, "garden-feed")?.id ?? ""),
    readStanding(niaFid, "garden"),
  ]);
  const isPost = ({ author, visible_to }: ChatMessage) => author.bot && visible_to === null;
  const says = (message: ChatMessage, words: string) => JSON.stringify(message.embeds).includes(words);
  return {
    opened: openedRooms().includes(market),
    banned: inMarket.some((message) => isPost(message) && says(message, `by <@${mo?.id}>`)),
    invited: garden.moderatorFids.includes(botFid),
    linked: inGarden.some((message) => isPost(message) || says(message, "now gets events of /garden")),
    acted: garden.isInvited || garden.isMember,
    joined: garden.isMember,
  };
}

const findPerson = ({ people }: ChatView, name: string) => people.find(({ username }) => username === name);

const findRoom = ({ rooms }: ChatGuild, name: string) => rooms.find((room) => room.name === name);
