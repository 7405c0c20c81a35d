import { useState } from "preact/hooks";
import { LineForm } from "./line-form.tsx";
import { botFid, roleOf, type Act, type ChannelView, type NetworkPerson } from "./network.ts";

interface ChannelProps {
  view: ChannelView;
  person: NetworkPerson;
  act: Act;
}

/** Members, invites, restrictions and bans of a channel, and its latest moderation records. */
export function MemberTables({ view, person, act }: ChannelProps) {
  const role = roleOf(view.channel, person.fid);
  const channelId = view.channel.id;
  const name = (fid: number) => (view.names[fid] ? `${view.names[fid]} (${fid})` : `fid ${fid}`);
  return (
    <div class="net-lists">
      <People
        title="Members"
        entries={view.members.map(({ fid }) => ({ fid, note: roleOf(view.channel, fid) }))}
        name={name}
        label={role && "Remove"}
        onClick={({ fid, note }) =>
          act(
            { do: "remove", channelId, fid, role: note === "moderator" ? "moderator" : "member" },
            "Removed.",
          )
        }
      />
      <People
        title="Invited"
        entries={view.invites.map(({ invitedFid, role: invited }) => ({ fid: invitedFid, note: invited }))}
        name={name}
        label={role && "Revoke"}
        onClick={({ fid, note = "member" }) => act({ do: "remove", channelId, fid, role: note }, "Revoked.")}
      />
      <People title="Restricted" entries={view.restricted.map(({ fid }) => ({ fid }))} name={name} />
      <People
        title="Banned"
        entries={view.bans.map(({ fid }) => ({ fid }))}
        name={name}
        label={role && "Unban"}
        onClick={({ fid }) => act({ do: "unban", channelId, fid }, "Unbanned: now restricted.")}
      />
    </div>
  );
}

interface PeopleProps<Note extends string> {
  title: string;
  entries: readonly { fid: number; note?: Note }[];
  name: (fid: number) => string;
  /** The button for each row, if there is one. */
  label?: string;
  onClick?: (entry: { fid: number; note?: Note }) => Promise<unknown>;
}

function People<Note extends string>({ title, entries, name, label, onClick }: PeopleProps<Note>) {
  return (
    <section class="net-card" aria-label={title}>
      <h4>
        {title} <span class="net-quiet">{entries.length}</span>
      </h4>
      <ul class="net-people">
        {entries.map((entry) => (
          <li key={entry.fid}>
            <span>
              {name(entry.fid)}
              {entry.note && <small class="net-quiet">{entry.note}</small>}
            </span>
            {label && entry.note !== "owner" && (
              <button class="net-small" onClick={() => onClick?.(entry)}>
                {label}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** For those who may invite. Only an owner invites moderators. */
export function InviteForm({ view, person, act }: ChannelProps) {
  const channelId = view.channel.id;
  const own = roleOf(view.channel, person.fid);
  const owner = own === "owner";
  const [chosen, setRole] = useState<"moderator" | "member">("moderator");
  const role = owner ? chosen : "member";
  if (!own) return null;
  return (
    <section class="net-card" aria-label="Invite">
      <h4>
        Invite <span class="net-quiet">Castellan is fid {botFid}</span>
      </h4>
      <LineForm
        label="fid to invite"
        formLabel="Invite"
        button="Invite"
        inputmode="numeric"
        pattern="[0-9]+"
        placeholder="fid"
        onSend={(fid) =>
          act({ do: "invite", channelId, fid: Number(fid), role }, `Invited ${fid} as ${role}.`)
        }
      >
        <select
          aria-label="Role"
          value={role}
          onChange={(event) => setRole(event.currentTarget.value === "moderator" ? "moderator" : "member")}
        >
          <option value="member">member</option>
          {owner && <option value="moderator">moderator</option>}
        </select>
      </LineForm>
    </section>
  );
}
