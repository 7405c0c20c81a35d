import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { roleOf } from "./network.js";

/** Who is in, invited, restricted and banned, and the latest moderation records. */
export function MemberTables({ view, person, act }) {
  const role = roleOf(view.channel, person.fid);
  const channelId = view.channel.id;
  const name = (fid) => (view.names[fid] ? `${view.names[fid]} (${fid})` : `fid ${fid}`);
  return html`
    ${role && html`<${InviteForm} channelId=${channelId} owner=${role === "owner"} act=${act} />`}
    <div class="net-lists">
      <${People}
        title="Members"
        entries=${view.members.map(({ fid }) => ({ fid, note: roleOf(view.channel, fid) }))}
        name=${name}
        label=${role && "Remove"}
        onClick=${({ fid, note }) =>
          act(
            { do: "remove", channelId, fid, role: note === "moderator" ? "moderator" : "member" },
            "Removed.",
          )}
      />
      <${People}
        title="Invited"
        entries=${view.invites.map(({ invitedFid, role: invited }) => ({ fid: invitedFid, note: invited }))}
        name=${name}
        label=${role && "Revoke"}
        onClick=${({ fid, note }) => act({ do: "remove", channelId, fid, role: note }, "Revoked.")}
      />
      <${People} title="Restricted" entries=${view.restricted.map(({ fid }) => ({ fid }))} name=${name} />
      <${People}
        title="Banned"
        entries=${view.bans.map(({ fid }) => ({ fid }))}
        name=${name}
        label=${role && "Unban"}
        onClick=${({ fid }) => act({ do: "unban", channelId, fid }, "Unbanned: now restricted.")}
      />
    </div>
  `;
}

function People({ title, entries, name, label, onClick }) {
  return html`
    <section class="net-card" aria-label=${title}>
      <h4>${title} <span class="net-quiet">${entries.length}</span></h4>
      <ul class="net-people">
        ${entries.map(
          (entry) => html`
            <li key=${entry.fid}>
              <span
                >${name(entry.fid)}
                ${entry.note && html`<small class="net-quiet">${entry.note}</small>`}</span
              >
              ${
                label &&
                entry.note !== "owner" &&
                html`<button class="net-small" onClick=${() => onClick(entry)}>${label}</button>`
              }
            </li>
          `,
        )}
      </ul>
    </section>
  `;
}

function InviteForm({ channelId, owner, act }) {
  const [fid, setFid] = useState("");
  const [role, setRole] = useState(owner ? "moderator" : "member");
  const invite = (event) => {
    event.preventDefault();
    act({ do: "invite", channelId, fid: Number(fid), role }, `Invited ${fid} as ${role}.`);
    setFid("");
  };
  return html`
    <form class="net-card" aria-label="Invite" onSubmit=${invite}>
      <h4>Invite <span class="net-quiet">Castellan is fid 9001</span></h4>
      <div class="net-line">
        <input
          aria-label="fid to invite"
          inputmode="numeric"
          pattern="[0-9]+"
          placeholder="fid"
          required
          value=${fid}
          onInput=${(event) => setFid(event.target.value)}
        />
        <select aria-label="Role" value=${role} onChange=${(event) => setRole(event.target.value)}>
          <option value="member">member</option>
          ${owner && html`<option value="moderator">moderator</option>`}
        </select>
        <button class="net-do">Invite</button>
      </div>
    </form>
  `;
}
