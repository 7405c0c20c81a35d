import { characters } from "./people/cast-of-characters.ts";
import { permission } from "./discord/numbers.ts";
import type { GuildPlan, Person } from "./discord/world/settle-world.ts";

/** The server of the sample network's people. */
export const sandboxGuildId = "800000000000000001";

/** Its rooms. */
export const sandboxRooms = {
  lobby: "800000000000000011",
  deskRoom: "800000000000000012",
  gardenFeed: "800000000000000013",
  marketFeed: "800000000000000014",
} as const;

export const sandboxGuild: GuildPlan = {
  id: sandboxGuildId,
  name: "Night Garden",
  owner: "ada",
  rooms: [
    { id: sandboxRooms.lobby, name: "lobby", topic: "Say hello" },
    { id: sandboxRooms.deskRoom, name: "mod-desk", topic: "Where moderators type" },
    { id: sandboxRooms.gardenFeed, name: "garden-feed", topic: "/feed add puts /garden here" },
    { id: sandboxRooms.marketFeed, name: "market-feed", topic: "What happens in /night-market" },
  ],
};

/** Whose holders may do there what the server's owner may: link channels, say. */
export const managerRole = { name: "Managers", permissions: permission.manageGuild } as const;

/** The characters as people of the chat. */
export const sandboxPeople: Person[] = characters.map(({ userId, name, part }) => ({
  id: userId,
  username: name,
  displayName: `${name} (${part})`,
}));
