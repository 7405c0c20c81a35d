import { describeChannel, listStanding, page, pageEvents } from "./live-pages.ts";
import { Refused, type Json } from "./live-server.ts";

/** What the live network's client API knows of channels, and what it answers; the double of `live-client.ts` serves it. */
export type Row = Record<string, unknown>;
type Standing = "member" | "moderator" | "none" | "restricted" | "banned";

export interface Channel {
  id: string;
  name: string;
  owner: number;
  createdAt: number;
  pinned: string | undefined;
  /** By fid, with when (milliseconds). */
  standings: Map<number, { standing: Exclude<Standing, "none">; at: number }>;
  invites: Map<number, { role: "member" | "moderator"; inviter: number; at: number }>;
  followers: Map<number, number>;
}

/** Of channels, in August 2026. */
export const usualCount = 16_450;

export class LiveChannels {
  readonly #now: () => number;
  readonly all = new Map<string, Channel>();
  readonly casts = new Map<string, { channelId: string; fid: number; hidden: boolean }>();
  readonly #records: Row[] = [];
  readonly events: Row[] = [];
  /** How often something became other than it was. */
  changes = 0;
  /** Milliseconds until something is shown that happens now. */
  lateBy = (): number => 0;
  readonly #shownAt = new WeakMap<Row, number>();
  /** Events are given twice. */
  repeats = false;
  /** Fids that the network's operator lets become moderators at once. */
  readonly allowlist = new Set<number>();
  /** Discord accounts by fid. */
  readonly verifications = new Map<number, string>();

  constructor(now: () => number, count = usualCount) {
    this.#now = now;
    for (let index = 0; index < count; index += 1) this.add(`channel-${index.toString(36)}`, 1000 + index);
  }

  add(id: string, owner: number): Channel {
    const at = this.#now() - 86_400_000;
    const standings: Channel["standings"] = new Map([[owner, { standing: "member", at }]]);
    const parts = { standings, invites: new Map(), followers: new Map([[owner, at]]) };
    const channel = {
      id,
      name: `The ${id}`,
      owner,
      createdAt: Math.floor(at / 1000),
      pinned: undefined,
      ...parts,
    };
    this.all.set(id, channel);
    return channel;
  }

  cast(channelId: string, hash: string, fid: number): void {
    this.casts.set(hash, { channelId, fid, hidden: false });
  }

  #channel(id: string): Channel {
    const channel = this.all.get(id);
    if (!channel) throw new Refused(404, `Channel ${id} not found`);
    return channel;
  }

  /** Somebody's standing changes, whoever did it. */
  setStanding(channelId: string, fid: number, standing: Standing): void {
    const { standings, invites } = this.#channel(channelId);
    if ((standings.get(fid)?.standing ?? "none") === standing) return;
    if (standing === "none") standings.delete(fid);
    else {
      // Neither promotion nor its end changes since when somebody is a member.
      const before = standings.get(fid);
      const isMember = [before?.standing, standing].every((one) => one === "member" || one === "moderator");
      standings.set(fid, { standing, at: (isMember ? before?.at : undefined) ?? this.#now() });
    }
    if (standing === "banned") invites.delete(fid);
    this.#tell("role-changed", channelId, { fid, role: standing });
  }

  follow(channelId: string, fid: number, follows = true): void {
    const { followers } = this.#channel(channelId);
    if (followers.has(fid) === follows) return;
    if (follows) followers.set(fid, this.#now());
    else followers.delete(fid);
    this.#tell(follows ? "channel-followed" : "channel-unfollowed", channelId, { fid });
  }

  invite(channelId: string, fid: number, role: "member" | "moderator", inviter: number): void {
    const channel = this.#channel(channelId);
    const held = channel.standings.get(fid)?.standing;
    if (held === role || channel.invites.get(fid)?.role === role) return;
    if (role === "moderator" && this.allowlist.has(fid)) return this.setStanding(channelId, fid, "moderator");
    if (role === "member" && !channel.followers.has(fid)) {
      throw new Refused(400, "User must follow channel or inviter to be invited as member");
    }
    if (role === "moderator" && held !== "member")
      throw new Refused(400, "User must be a member to be invited as moderator");
    if (held === "restricted") channel.standings.delete(fid);
    channel.invites.set(fid, { role, inviter, at: this.#now() });
    this.#tell("invite-created", channelId, { fid, role });
  }

  answerInvite(channelId: string, fid: number, role: "member" | "moderator", accept: boolean): void {
    const { invites } = this.#channel(channelId);
    if (invites.get(fid)?.role !== role) throw new Refused(400, "User does not have an active invite");
    invites.delete(fid);
    this.#tell(accept ? "invite-accepted" : "invite-declined", channelId, { fid, role });
    if (accept) this.setStanding(channelId, fid, role);
  }

  /** Takes a role back, or the invite to it. */
  remove(channelId: string, fid: number, role: "member" | "moderator"): void {
    const { invites } = this.#channel(channelId);
    if (invites.get(fid)?.role !== role) {
      return this.setStanding(channelId, fid, role === "moderator" ? "member" : "restricted");
    }
    invites.delete(fid);
    this.#tell("invite-revoked", channelId, { fid, role });
  }

  moderate(castHash: string, action: "hide" | "unhide"): void {
    const cast = this.casts.get(castHash);
    if (!cast) throw new Refused(404, "Cast not found");
    if (cast.hidden === (action === "hide")) return;
    cast.hidden = action === "hide";
    const { channelId, fid } = cast;
    const record = { castHash, channelId, action, moderatedAt: this.#now() };
    this.#records.unshift(record);
    this.#shownAt.set(record, this.#now() + Math.min(this.lateBy(), 4_000));
    this.#tell(action === "hide" ? "cast-hidden" : "cast-unhidden", channelId, { castHash, castFid: fid });
  }

  pin(castHash: string, pinned: boolean): void {
    const cast = this.casts.get(castHash);
    if (!cast) throw new Refused(404, "Cast not found");
    const channel = this.#channel(cast.channelId);
    if ((channel.pinned === castHash) === pinned) return;
    channel.pinned = pinned ? castHash : undefined;
    const about = { castHash, castFid: cast.fid, ...(pinned && { notifyFollowers: false }) };
    this.#tell(pinned ? "cast-pinned" : "cast-unpinned", channel.id, about);
  }

  #tell(type: string, channelId: string, data: Row): void {
    this.changes += 1;
    const eventId = `${this.#now()}-${this.events.length}`;
    const event = { eventId, ts: this.#now(), channelId, type, ...data };
    this.events.unshift(event);
    this.#shownAt.set(event, this.#now() + this.lateBy());
  }

  /** Throws `Refused`. */
  answer(route: string, query: URLSearchParams, body: Json, fid: number | undefined): Json {
    return this.#read(route, query) ?? this.#write(route, body, fid);
  }

  #read(route: string, query: URLSearchParams): Json | undefined {
    const channelId = query.get("channelId");
    if (channelId !== null) this.#channel(channelId);
    const of = (standing: string, time: string) => listStanding(this.#select(channelId), standing, time);
    switch (route) {
      case "GET /v2/all-channels":
        return { result: { channels: [...this.all.values()].map(describeChannel) } };
      case "GET /v1/channel":
        return { result: { channel: describeChannel(this.#channel(channelId ?? "")) } };
      case "GET /fc/channel-members":
        return page(
          "members",
          of("member", "memberAt").map(({ channelId: _, ...row }) => row),
          "memberAt",
          query,
        );
      case "GET /fc/channel-bans":
        return page("bannedUsers", of("banned", "bannedAt"), "bannedAt", query);
      case "GET /fc/channel-restricted-users":
        return page("restrictedUsers", of("restricted", "restrictedAt"), "restrictedAt", query);
      case "GET /fc/channel-invites": {
        const rows = this.#select(channelId).flatMap(({ id, invites }) =>
          [...invites].map(([invitedFid, { role, inviter, at }]): Row => {
            return { channelId: id, invitedFid, invitedAt: at, inviterFid: inviter, role };
          }),
        );
        return page("invites", rows, "invitedAt", query);
      }
      case "GET /fc/moderated-casts": {
        const rows = this.#records.filter(
          (row) => this.#isShown(row) && (channelId === null || row["channelId"] === channelId),
        );
        return page("moderationActions", rows, "moderatedAt", query);
      }
      case "GET /v1/channel-followers": {
        const rows = [...this.#channel(channelId ?? "").followers].map(([fid, at]): Row => ({
          fid,
          followedAt: at,
        }));
        return page("users", rows, "followedAt", query);
      }
      case "GET /v1/user-channel": {
        const followedAt = this.#channel(channelId ?? "").followers.get(Number(query.get("fid")));
        return { result: { following: followedAt !== undefined, followedAt } };
      }
      case "GET /v1/user-following-channels": {
        const followed = [...this.all.values()].flatMap((channel) => {
          const followedAt = channel.followers.get(Number(query.get("fid")));
          return followedAt === undefined ? [] : [{ ...describeChannel(channel), followedAt }];
        });
        return page("channels", followed, "followedAt", query);
      }
      case "GET /fc/account-verifications":
        return { result: { verifications: this.#verificationsOf(Number(query.get("fid"))) } };
      case "GET /fc/channel-events": {
        const events = pageEvents(
          this.events.filter((event) => this.#isShown(event)),
          query,
        );
        return { result: { events: this.repeats ? events.flatMap((event) => [event, event]) : events } };
      }
      default:
        return undefined;
    }
  }

  #write(route: string, body: Json, fid: number | undefined): Json {
    if (fid === undefined) throw new Refused(401, "Unauthorized");
    const channelId = String(body["channelId"] ?? "");
    const requireStaff = (id: string) => {
      const channel = this.#channel(id);
      if (channel.owner === fid || channel.standings.get(fid)?.standing === "moderator") return;
      throw new Refused(403, "User does not have permission to moderate this channel");
    };
    // Each body names what its route needs.
    const role = body["role"] as "member" | "moderator";
    const castHash = body["castHash"] as string;
    switch (route) {
      case "POST /fc/channel-follows":
      case "DELETE /fc/channel-follows":
        this.follow(channelId, fid, route.startsWith("POST"));
        break;
      case "PATCH /fc/channel-invites":
        this.answerInvite(channelId, fid, role, body["accept"] === true);
        break;
      case "POST /fc/channel-invites":
        requireStaff(channelId);
        this.invite(channelId, Number(body["inviteFid"]), role, fid);
        break;
      case "DELETE /fc/channel-invites":
        requireStaff(channelId);
        this.remove(channelId, Number(body["removeFid"]), role);
        break;
      case "POST /fc/channel-bans":
        requireStaff(channelId);
        this.setStanding(channelId, Number(body["banFid"]), "banned");
        break;
      case "DELETE /fc/channel-bans":
        requireStaff(channelId);
        this.setStanding(channelId, Number(body["unbanFid"]), "restricted");
        break;
      case "POST /fc/moderated-casts":
        requireStaff(this.casts.get(castHash)?.channelId ?? "");
        this.moderate(castHash, body["action"] as "hide" | "unhide");
        break;
      case "PUT /fc/pinned-casts":
        requireStaff(this.casts.get(castHash)?.channelId ?? "");
        this.pin(castHash, true);
        break;
      case "DELETE /fc/pinned-casts": {
        const pinned = castHash ?? this.#channel(channelId).pinned;
        requireStaff(this.casts.get(pinned)?.channelId ?? channelId);
        if (pinned !== undefined) this.pin(pinned, false);
        break;
      }
      default:
        throw new Refused(404, "Not found");
    }
    return { result: { success: true } };
  }

  #verificationsOf(fid: number): Row[] {
    const platformId = this.verifications.get(fid);
    if (platformId === undefined) return [];
    return [
      { fid, platform: "discord", platformId, platformUsername: `user${fid}`, verifiedAt: this.#now() },
    ];
  }

  #isShown(row: Row): boolean {
    return (this.#shownAt.get(row) ?? 0) <= this.#now();
  }

  #select(channelId: string | null): Channel[] {
    return channelId === null ? [...this.all.values()] : [this.#channel(channelId)];
  }
}
