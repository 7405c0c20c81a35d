import { PermissionFlagsBits } from "discord-api-types/v10";
import type { GuildPlan, Person } from "../discord/world/seed-world.ts";
import { personas } from "./personas.ts";

/** The chat server of the sample network's people. */
export const sandboxGuildId = "800000000000000001";

/** Its rooms. */
export const sandboxRooms = {
  lobby: "800000000000000011",
  deskRoom: "800000000000000012",
  gardenFeed: "800000000000000013",
  marketFeed: "800000000000000014",
  marketSquare: "800000000000000015",
} as const;

export const sandboxGuild: GuildPlan = {
  id: sandboxGuildId,
  name: "Night Garden",
  owner: "ada",
  // The server's people have roles in channels, but no permissions in Discord.
  opensCommands: true,
  rooms: [
    { id: sandboxRooms.lobby, name: "lobby", topic: "Say hello" },
    { id: sandboxRooms.deskRoom, name: "mod-desk", topic: "Where moderators type" },
    { id: sandboxRooms.gardenFeed, name: "garden-feed", topic: "What happens in /garden, after /feed add" },
    { id: sandboxRooms.marketFeed, name: "market-feed", topic: "What happens in /night-market" },
    { id: sandboxRooms.marketSquare, name: "market-square", topic: "What readers see of /night-market" },
  ],
};

/** Its holders can do everything that the server's owner can, such as link channels. */
export const managerRole = { name: "Managers", permissions: PermissionFlagsBits.ManageGuild } as const;

/** The personas as people of the chat. */
export const sandboxPeople: Person[] = personas.map(({ userId, name, part }) => ({
  id: userId,
  username: name,
  displayName: `${name} (${part})`,
}));

/** The rules of `night-market`, which act without anybody's commands. */
export const marketRules = `version: 1
defaults: {mode: enforce, exempt: [owner, moderators]}
rules:
  - id: scam-links
    priority: 100
    channels: [night-market]
    on: [cast.created]
    when:
      all:
        - text: {matches: "(?i)claim.{0,20}airdrop"}
        - not: {author.is_member: true}
    then: [{hide: {}}]
  - id: repeat-hidden
    channels: [night-market]
    on: [record.hidden]
    when: {history: {event: record.hidden, by: author, within: 1h, gte: 2}}
    then: [{ban: {for: 72h, reason: "Two hidden casts within an hour"}}]
`;
