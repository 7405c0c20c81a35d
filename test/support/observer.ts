import type { NetworkSettings } from "../../src/api/context.ts";
import type { Network } from "../../src/contract/index.ts";
import type { ChannelEvent, EventData } from "../../src/observe/events.ts";
import type { TestDiscord } from "./discord.ts";
import { createWorld, linkGuild, type TestNetwork, type World } from "./world.ts";

export const guild = "100000000000000001";

/** A bot half that watches an embedded network of its own. Close `context.database` after all. */
export interface Observer {
  network: TestNetwork;
  context: World;
  link(channelId: string, guildId?: string): Promise<void>;
  unlink(channelId: string, guildId?: string): Promise<void>;
  /** What was observed, in the order of ids. */
  events(kind?: keyof EventData): Promise<Pick<ChannelEvent, "kind" | "channelId" | "subjectFid" | "data">[]>;
}

export async function createObserver(networkSettings?: Partial<NetworkSettings>): Promise<Observer> {
  const world = await createWorld(undefined, networkSettings);
  const { database, net: network } = world;
  return {
    network,
    context: world,
    link: (channelId, guildId = guild) => linkGuild(world, channelId, guildId),
    async unlink(channelId, guildId = guild) {
      await database.query
        .deleteFrom("castellan.links")
        .where("channel_id", "=", channelId)
        .where("guild_id", "=", guildId)
        .execute();
    },
    async events(kind) {
      const rows = await database.query
        .selectFrom("castellan.events")
        .select(["kind", "channel_id as channelId", "subject_fid as subjectFid", "data"])
        .orderBy("id")
        .execute();
      // Written by appendEvents.
      return (rows as Awaited<ReturnType<Observer["events"]>>).filter((row) => !kind || row.kind === kind);
    },
  };
}

/** One event as a room reads it. */
export interface Told {
  /** The event's number, from the footer. */
  number: number;
  title: string;
  description: string;
}

/** What the bot has told a room, in the order in which it is read. */
export function readFeed(
  { context, rooms, applicationId }: TestDiscord,
  room: keyof TestDiscord["rooms"],
): Told[] {
  const messages = context.world.messages.get(rooms[room]) ?? [];
  return messages
    .filter(({ authorId, visibleTo }) => authorId === applicationId && visibleTo === null)
    .flatMap(({ embeds }) => embeds)
    .map(({ title, description, footer }) => ({
      number: Number(/^E-(\d+)$/.exec(footer?.text ?? "")?.[1]),
      // Where several have buttons, a mark says whose is whose.
      title: (title ?? "").replaceAll("\\", "").replace(/^[①-⑤] /, ""),
      description: description ?? "",
    }));
}

/** The same network, which writes down every call: "channels.get". */
export function watchNetwork(network: Network, called: string[]): Network {
  const groups = Object.entries(network).map(([group, calls]) => {
    // Every entry of a group is a call.
    const entries = Object.entries(calls as Record<string, (...given: unknown[]) => unknown>);
    const watched = entries.map(([name, call]) => [
      name,
      (...given: unknown[]) => {
        called.push(`${group}.${name}`);
        return call(...given);
      },
    ]);
    return [group, Object.fromEntries(watched)];
  });
  return Object.fromEntries(groups) as Network; // the groups and calls of the one given
}
