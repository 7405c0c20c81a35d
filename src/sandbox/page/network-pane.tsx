import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { LineForm } from "./line-form.tsx";
import { CastList } from "./network-casts.tsx";
import { InviteForm, MemberTables } from "./network-members.tsx";
import {
  readChannel,
  readOverview,
  roleOf,
  sendAct,
  type Act,
  type ChannelView,
  type NetworkPerson,
  type Overview,
} from "./network.ts";

export const refreshEvery = 2500;
/** Milliseconds for which the result of an action is shown. What was refused stays, because it says why. */
const noteLife = 8000;

interface NetworkPaneProps {
  person: NetworkPerson;
  channelId: string;
  onChannel: (channelId: string) => void;
}

/** The network as one person's own app shows it: followed channels, available actions, and open invites. */
export function NetworkPane({ person, channelId, onChannel }: NetworkPaneProps) {
  const [overview, setOverview] = useState<Overview | null>(null);
  const [view, setView] = useState<ChannelView | null>(null);
  const [note, setNote] = useState<{ text: string; good: boolean } | null>(null);

  const latest = useRef<unknown>(null);
  const refresh = useCallback(async () => {
    const [nextOverview, nextView] = await Promise.allSettled([
      readOverview(person.fid),
      readChannel(person.fid, channelId),
    ]);
    // The previous person's, or channel's.
    if (latest.current !== refresh) return;
    if (nextOverview.status === "fulfilled") setOverview(nextOverview.value);
    setView(nextView.status === "fulfilled" ? nextView.value : null);
  }, [person.fid, channelId]);

  useEffect(() => {
    latest.current = refresh;
    void refresh();
    const timer = setInterval(() => void refresh(), refreshEvery);
    return () => clearInterval(timer);
  }, [refresh]);
  useEffect(() => setNote(null), [person.fid]);
  useEffect(() => {
    if (!note?.good) return undefined;
    const timer = setTimeout(() => setNote(null), noteLife);
    return () => clearTimeout(timer);
  }, [note]);
  // An imported network has other channels than the sample.
  useEffect(() => {
    const channels = overview?.channels ?? [];
    const [first] = channels;
    if (first && !channels.some(({ id }) => id === channelId)) onChannel(first.id);
  }, [overview, channelId]);

  const act: Act = async (action, done) => {
    setNote(null);
    const failure = await sendAct(person.fid, action).then(
      () => null,
      (refused: Error) => refused,
    );
    setNote(failure ? { text: failure.message, good: false } : { text: done, good: true });
    await refresh();
    return failure === null;
  };

  return (
    <>
      <h2 class="pane-title">
        Network <span class="net-quiet">Farcaster as {person.name} sees it</span>
      </h2>
      {overview ? (
        <div class="net">
          <Channels overview={overview} person={person} open={channelId} onOpen={onChannel} />
          <OwnInvites invites={overview.invites} act={act} />
          <div class={`net-note ${note ? (note.good ? "good" : "bad") : ""}`} role="status">
            {note?.text}
          </div>
          {view ? (
            <>
              <ChannelCard view={view} person={person} act={act} />
              <InviteForm view={view} person={person} act={act} />
              <CastList view={view} person={person} act={act} />
              <MemberTables view={view} person={person} act={act} />
            </>
          ) : (
            <p class="net-quiet">This channel cannot be read right now.</p>
          )}
          <NameForm held={overview.name} act={act} />
          <KeyForm act={act} />
        </div>
      ) : (
        <p class="waiting">Reading the network…</p>
      )}
    </>
  );
}

interface ChannelsProps {
  overview: Overview;
  person: NetworkPerson;
  open: string;
  onOpen: (channelId: string) => void;
}

function Channels({ overview, person, open, onOpen }: ChannelsProps) {
  return (
    <nav class="net-channels" aria-label="Channels">
      {overview.channels.map((channel) => (
        <button
          key={channel.id}
          class="net-chip"
          aria-pressed={channel.id === open}
          onClick={() => onOpen(channel.id)}
        >
          /{channel.id}
          {roleOf(channel, person.fid) && <small>{roleOf(channel, person.fid)}</small>}
        </button>
      ))}
    </nav>
  );
}

function OwnInvites({ invites, act }: { invites: Overview["invites"]; act: Act }) {
  return (
    <>
      {invites.map(({ channelId, role }) => (
        <div key={channelId} class="net-invite">
          <span>
            You are invited to /{channelId} as {role}.
          </span>
          <button
            class="net-do"
            onClick={() =>
              act({ do: "answer", channelId, role, accept: true }, `Accepted: you are a ${role}.`)
            }
          >
            Accept
          </button>
          <button
            class="net-do quiet"
            onClick={() => act({ do: "answer", channelId, role, accept: false }, "Declined.")}
          >
            Decline
          </button>
        </div>
      ))}
    </>
  );
}

function ChannelCard({ view, person, act }: { view: ChannelView; person: NetworkPerson; act: Act }) {
  const { channel, following } = view;
  const follow = following ? "unfollow" : "follow";
  return (
    <section class="net-card">
      <header>
        <div>
          <h3>{channel.name}</h3>
          <span class="net-quiet">
            {channel.followerCount} followers · {channel.memberCount} members
            {roleOf(channel, person.fid) && <> · you are its {roleOf(channel, person.fid)}</>}
          </span>
        </div>
        <button
          class="net-do quiet"
          onClick={() => act({ do: follow, channelId: channel.id }, following ? "Unfollowed." : "Following.")}
        >
          {following ? "Unfollow" : "Follow"}
        </button>
      </header>
      <LineForm
        label="New cast"
        button="Cast"
        placeholder={`Cast into /${channel.id} as ${person.name}`}
        maxlength={1000}
        onSend={(text) => act({ do: "cast", channelId: channel.id, text }, "Cast.")}
      />
    </section>
  );
}

/** A person can have only one name, and must give it up before registering another. */
function NameForm({ held, act }: { held: string | null; act: Act }) {
  if (held) {
    return (
      <section class="net-line net-name" aria-label="Your name">
        <span>
          You hold the name <b>{held}</b>. <span class="net-quiet">Give it up to register another.</span>
        </span>
        <button
          class="net-do quiet"
          onClick={() => act({ do: "release-name", name: held }, `${held} is available to everybody now.`)}
        >
          Give up
        </button>
      </section>
    );
  }
  return (
    <LineForm
      label="Name to register"
      formLabel="Your name"
      button="Register"
      placeholder="Register a name"
      pattern="[a-z0-9][a-z0-9\-]{0,15}"
      title="1 to 16 of a-z, 0-9 and -"
      onSend={(name) => act({ do: "register-name", name }, `${name} is yours.`)}
    />
  );
}

/** Signs with the person's wallet, which the approval page would ask for. */
function KeyForm({ act }: { act: Act }) {
  const answer = (request: string, choice: string) =>
    choice === "Approve"
      ? act({ do: "answer-key", request, answer: "approve" }, "Approved: the key will sign for you.")
      : act({ do: "answer-key", request, answer: "refuse" }, "Refused.");
  return (
    <LineForm
      label="Key request"
      formLabel="Key request"
      button="Approve"
      placeholder="Link of an app's key request"
      onSend={answer}
      other="Refuse"
    />
  );
}
