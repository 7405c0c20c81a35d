import type { LiveChannels } from "./live-channels.ts";

/** Something that people do in a channel: each time to another user or cast, so that each is told by an event of its own. */
interface SimulatedChange {
  /** It shows in a listing of all channels; else in the channel's own members or record alone. */
  isListed: boolean;
  /** Does it for the `number`th time; gives what the event says: kind, channel, and user or cast. */
  happen(channels: LiveChannels, channelId: string, number: number): string;
}

const fidOf = (number: number) => 1_000_000 + number;

function castIn(channels: LiveChannels, channelId: string, number: number): string {
  const hash = `0x${number.toString(16).padStart(40, "0")}`;
  channels.cast(channelId, hash, 3);
  return hash;
}

function standing(
  name: "banned" | "restricted" | "member",
  kind: string,
  isListed: boolean,
): SimulatedChange {
  return {
    isListed,
    happen(channels, channelId, number) {
      channels.setStanding(channelId, fidOf(number), name);
      return `${kind} ${channelId} ${fidOf(number)}`;
    },
  };
}

export const changeKinds = {
  ban: standing("banned", "user.banned", true),
  restrict: standing("restricted", "user.restricted", true),
  invite: {
    isListed: true,
    happen(channels, channelId, number) {
      channels.follow(channelId, fidOf(number));
      channels.invite(channelId, fidOf(number), "member", 1);
      return `invite.created ${channelId} ${fidOf(number)}`;
    },
  },
  hide: {
    isListed: true,
    happen(channels, channelId, number) {
      const hash = castIn(channels, channelId, number);
      channels.moderate(hash, "hide");
      return `record.hidden ${channelId} ${hash}`;
    },
  },
  join: standing("member", "member.joined", false),
  pin: {
    isListed: false,
    happen(channels, channelId, number) {
      const hash = castIn(channels, channelId, number);
      channels.pin(hash, true);
      return `pin.changed ${channelId} ${hash}`;
    },
  },
} satisfies Record<string, SimulatedChange>;

export type ChangeKind = keyof typeof changeKinds;
