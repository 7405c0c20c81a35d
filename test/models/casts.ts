import * as fc from "fast-check";
import type { Network } from "../../src/contract/index.ts";
import { outcomeOf, type Model, type Subject } from "./model.ts";

/** Casts of a scene by number: two roots and two replies in the channel, one root in no channel. */
const casts = ["root of a member", "root of the stranger", "reply", "another reply", "elsewhere"] as const;
const [owner, moderator, member, stranger] = [1, 2, 3, 5] as const;
const authors = [member, stranger, stranger, stranger, member];
/** Replies to casts of the channel. */
const replies = new Set([2, 3]);
const outside = 4;

type Call =
  | { call: "hide" | "unhide"; caller: number; cast: number }
  | { call: "pin"; caller: number; cast: number; notify: boolean }
  | { call: "unpin"; caller: number; cast: number | undefined }
  | { call: "ban" | "unban"; caller: number };

interface State {
  hidden: Set<number>;
  /** Of moderation, oldest first. */
  records: string[];
  pinned: number | undefined;
  announced: number;
  standing: "free" | "banned" | "restricted";
}

const caller = fc.constantFrom(owner, moderator, moderator, member, stranger);
const cast = fc.constantFrom(0, 1, 2, 3, outside);
const call: fc.Arbitrary<Call> = fc.oneof(
  fc.record({ call: fc.constantFrom("hide" as const, "unhide" as const), caller, cast }),
  fc.record({ call: fc.constant("pin" as const), caller, cast, notify: fc.boolean() }),
  fc.record({ call: fc.constant("unpin" as const), caller, cast: fc.option(cast, { nil: undefined }) }),
  fc.record({ call: fc.constantFrom("ban" as const, "unban" as const), caller }),
);

function createModel(state: State): Model<Call> {
  const { hidden, records } = state;

  function apply(made: Call): string {
    // What is in no channel is pinned nowhere.
    if ("cast" in made && made.cast === outside) return made.call === "unpin" ? "ok" : "cast_not_in_channel";
    if (made.caller !== owner && made.caller !== moderator) return "not_permitted";
    if (made.call === "hide" || made.call === "unhide") {
      const changes = hidden.has(made.cast) === (made.call === "unhide");
      if (changes) records.push(`${made.call} ${made.cast}`);
      if (made.call === "hide") hidden.add(made.cast);
      else hidden.delete(made.cast);
    } else if (made.call === "pin") {
      if (made.notify && state.pinned !== made.cast) state.announced += 1;
      state.pinned = made.cast;
    } else if (made.call === "unpin") {
      if (made.cast === undefined || made.cast === state.pinned) state.pinned = undefined;
    } else if (made.call === "ban") {
      state.standing = "banned";
    } else if (state.standing === "banned") {
      state.standing = "restricted";
    }
    return "ok";
  }

  return {
    apply,
    copy: () => createModel(structuredClone(state)),
    memory: () => JSON.stringify([[...hidden], records, state]),
    view: () => ({
      records,
      pinned: state.pinned ?? -1,
      announced: state.announced,
      standing: state.standing,
      visibility: casts.map((_, index) => ({
        hiddenByModeration: hidden.has(index),
        hiddenByBan: replies.has(index) && state.standing === "banned",
        belowFold: replies.has(index) && state.standing === "restricted",
      })),
    }),
  };
}

function send(network: Network, channelId: string, hashes: readonly string[], made: Call): Promise<unknown> {
  const hash = (cast: number) => hashes[cast] ?? "";
  switch (made.call) {
    case "hide":
    case "unhide":
      return network.moderatedCasts.moderate({ castHash: hash(made.cast), action: made.call });
    case "pin":
      return network.pinnedCasts.pin({ castHash: hash(made.cast), notifyChannelFollowers: made.notify });
    case "unpin":
      return network.pinnedCasts.unpin(
        made.cast === undefined ? { channelId } : { castHash: hash(made.cast) },
      );
    case "ban":
      return network.channelBans.ban({ channelId, banFid: stranger });
    case "unban":
      return network.channelBans.unban({ channelId, unbanFid: stranger });
  }
}

export const castVisibility: Subject<Call> = {
  title: "hidden and pinned casts",
  calls: fc.array(call, { minLength: 6, maxLength: 20 }),
  async prepare(world, number) {
    const { seed, api, public: network } = world;
    const channelId = `casts-${number}`;
    await seed.channel(channelId, { owner, moderators: [moderator], members: [member] });
    const hashes: string[] = [];
    for (const [index, fid] of authors.entries()) {
      const parent = replies.has(index) && { parentHash: hashes[0] };
      hashes.push(await seed.cast({ fid, ...(index !== outside && { channelId }), ...parent }));
    }
    const standing = async () => {
      const filter = { channelId, fid: stranger };
      const { bannedUsers } = (await network.channelBans.list(filter)).result;
      if (bannedUsers.length > 0) return "banned";
      const { restrictedUsers } = (await network.channelRestrictedUsers.list(filter)).result;
      return restrictedUsers.length > 0 ? "restricted" : "free";
    };
    return {
      model: createModel({
        hidden: new Set(),
        records: [],
        pinned: undefined,
        announced: 0,
        standing: "free",
      }),
      perform: (made) => outcomeOf(send(world.as(made.caller), channelId, hashes, made)),
      async view() {
        const { moderationActions } = (await network.moderatedCasts.list({ channelId })).result;
        const { channel } = await network.channels.get({ channelId });
        const { notifications } = await api.operator.notifications({ channelId });
        const states = await Promise.all(hashes.map((hash) => api.operator.readCast({ hash })));
        return {
          records: moderationActions
            .map(({ action, castHash }) => `${action} ${hashes.indexOf(castHash)}`)
            .toReversed(),
          pinned: hashes.indexOf(channel.pinnedCastHash ?? ""),
          announced: notifications.length,
          standing: await standing(),
          visibility: states.map(({ hiddenByModeration, hiddenByBan, belowFold }) => ({
            hiddenByModeration,
            hiddenByBan,
            belowFold,
          })),
        };
      },
    };
  },
};
