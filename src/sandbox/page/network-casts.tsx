import { useState } from "preact/hooks";
import type { CastState } from "../../contract/casts.ts";
import { LineForm } from "./line-form.tsx";
import { roleOf, type Act, type ChannelView, type NetworkPerson } from "./network.ts";

interface ChannelProps {
  view: ChannelView;
  person: NetworkPerson;
  act: Act;
}

/** A channel's latest conversations as this person sees them, with the available actions for each cast. */
export function CastList({ view, person, act }: ChannelProps) {
  const moderates = roleOf(view.channel, person.fid) !== "";
  const sees = (state: CastState) => moderates || state.cast.fid === person.fid || !isHidden(state);
  const seen = view.casts.filter(sees);
  const unseen = view.casts.length - seen.length;
  return (
    <section class="net-card" aria-label="Casts">
      <h4>Casts</h4>
      {view.casts.length === 0 && <p class="net-quiet">Nobody has cast here yet.</p>}
      {unseen > 0 && (
        <p class="net-quiet">
          {unseen} hidden {unseen === 1 ? "cast is" : "casts are"} not shown to {person.name}.
        </p>
      )}
      <ul class="net-casts">
        {arrangeThreads(seen).map(({ state, answers }) => (
          <Cast key={state.cast.hash} state={state} answers={answers} view={view} person={person} act={act} />
        ))}
      </ul>
    </section>
  );
}

interface Threaded {
  state: CastState;
  answers?: CastState | undefined;
}

/**
 * Threads with the newest reply first. Replies follow their root in order of time, each with the cast that it
 * `answers`. Replies below the fold come last.
 */
function arrangeThreads(casts: readonly CastState[]): Threaded[] {
  const known = new Map(casts.map((state) => [state.cast.hash, state]));
  const parentOf = ({ cast }: CastState) => known.get(cast.parentHash ?? "");
  const rootOf = (state: CastState): CastState => {
    const parent = parentOf(state);
    return parent ? rootOf(parent) : state;
  };
  const threads = new Map<CastState, CastState[]>();
  for (const state of casts) {
    const root = rootOf(state);
    threads.set(root, [...(threads.get(root) ?? []), state]);
  }
  const latest = (thread: readonly CastState[]) => Math.max(...thread.map(({ cast }) => cast.timestamp));
  return [...threads]
    .toSorted(([, a], [, b]) => latest(b) - latest(a))
    .flatMap(([root, thread]) => [
      { state: root },
      ...thread
        .filter((state) => state !== root)
        .toSorted((a, b) => Number(a.belowFold) - Number(b.belowFold) || a.cast.timestamp - b.cast.timestamp)
        .map((state) => ({ state, answers: parentOf(state) })),
    ]);
}

function Cast({ state, answers, view, person, act }: ChannelProps & Threaded) {
  const [answering, setAnswering] = useState(false);
  const { cast } = state;
  const moderates = roleOf(view.channel, person.fid) !== "";
  const hidden = state.hiddenByModeration;
  const pinned = view.channel.pinnedCastHash === cast.hash;
  const moderate = (action: "hide" | "unhide" | "pin" | "remove-cast", done: string) =>
    act({ do: action, castHash: cast.hash }, done);
  return (
    <li class={`net-cast ${cast.parentHash ? "reply" : ""} ${isHidden(state) ? "hidden" : ""}`}>
      <div class="net-cast-head">
        <b>{nameOf(view, cast.fid)}</b>
        {cast.parentHash && (
          <span class="net-quiet">answers {answers ? nameOf(view, answers.cast.fid) : "a hidden cast"}</span>
        )}
        <CastTime at={new Date(cast.timestamp * 1000)} />
        {marksOf(state, pinned).map((mark) => (
          <span class="net-mark" key={mark}>
            {mark}
          </span>
        ))}
        <button
          class="net-copy"
          data-hash={cast.hash}
          title="Copy the cast's hash"
          onClick={() => navigator.clipboard?.writeText(cast.hash)}
        >
          {cast.hash.slice(0, 10)}…
        </button>
      </div>
      <p>{cast.text}</p>
      <div class="net-acts">
        <button onClick={() => setAnswering(!answering)}>Reply</button>
        {moderates && (
          <button onClick={() => moderate(hidden ? "unhide" : "hide", hidden ? "Shown." : "Hidden.")}>
            {hidden ? "Show" : "Hide"}
          </button>
        )}
        {moderates && (
          <button
            onClick={() =>
              pinned
                ? act({ do: "unpin", channelId: view.channel.id }, "Unpinned.")
                : moderate("pin", "Pinned.")
            }
          >
            {pinned ? "Unpin" : "Pin"}
          </button>
        )}
        {moderates && (
          <button onClick={() => act({ do: "ban", channelId: view.channel.id, fid: cast.fid }, "Banned.")}>
            Ban author
          </button>
        )}
        {cast.fid === person.fid && (
          <button onClick={() => moderate("remove-cast", "Removed.")}>Remove</button>
        )}
      </div>
      {answering && (
        <LineForm
          label="Reply"
          button="Reply"
          maxlength={1000}
          onSend={async (text) => {
            const isSent = await act({ do: "reply", castHash: cast.hash, text }, "Replied.");
            setAnswering(!isSent);
            return isSent;
          }}
        />
      )}
    </li>
  );
}

const isHidden = (state: CastState) => state.hiddenByModeration || state.hiddenByBan || state.hiddenOnEntry;

const nameOf = (view: ChannelView, fid: number) => view.names[fid] ?? `fid ${fid}`;

function marksOf(state: CastState, pinned: boolean) {
  return [
    pinned && "pinned",
    state.hiddenByModeration && "hidden",
    state.hiddenByBan && "hidden by ban",
    state.hiddenOnEntry && "hidden: members only",
    state.belowFold && "below the fold",
  ].filter(Boolean);
}

/** Includes the day if it is not today. */
function CastTime({ at }: { at: Date }) {
  const today = at.toDateString() === new Date().toDateString();
  return (
    <time datetime={at.toISOString()} title={at.toLocaleString()}>
      {today ? at.toLocaleTimeString() : at.toLocaleString()}
    </time>
  );
}
