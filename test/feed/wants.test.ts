import { describe, expect, test } from "vitest";
import { wants, type FeedEvent, type FeedFilter } from "../../src/feed/wants.ts";

const feed: FeedFilter = {
  guildId: "900",
  roomId: "room",
  channelIds: null,
  kinds: ["bans", "names"],
  namePattern: null,
  peopleOnly: false,
  linkedChannelIds: ["memes", "art"],
  forReaders: false,
};
const ban: FeedEvent = {
  kinds: ["bans"],
  channelId: "memes",
  guildId: null,
  roomId: null,
  bulkGuildId: null,
  forReaders: true,
};
const named = (...names: string[]): FeedEvent => ({
  ...ban,
  kinds: ["names"],
  channelId: null,
  name: { names, memberOf: new Set() },
});

interface Case {
  feed?: Partial<FeedFilter>;
  event: FeedEvent;
}

const told: Record<string, Case> = {
  "a channel that the server is linked to": { event: ban },
  "a channel of its own": { feed: { channelIds: ["memes"] }, event: ban },
  "what happens in one of its channels, too": {
    feed: { channelIds: ["art"] },
    event: { ...ban, guildId: "900", otherChannelIds: ["music", "art"] },
  },
  "one of several kinds": { event: { ...ban, kinds: ["members", "bans"] } },
  "what belongs to no channel": { feed: { channelIds: ["memes"] }, event: { ...ban, channelId: null } },
  "its server's own affair, also in a channel that it is not linked to": {
    feed: { linkedChannelIds: [] },
    event: { ...ban, guildId: "900" },
  },
  "what is meant for its room, whatever kind and channel that is of": {
    feed: { channelIds: ["art"] },
    event: { ...ban, kinds: ["health"], guildId: "900", roomId: "room" },
  },
  "what another server's bulk did": { event: { ...ban, bulkGuildId: "901" } },
  "what readers may see, in a room for them": { feed: { forReaders: true }, event: ban },
  "any name": { event: named("alice") },
  "a name of a member, where it asks for those alone": {
    feed: { peopleOnly: true },
    event: { ...named("alice"), name: { names: ["alice"], memberOf: new Set(["901", "900"]) } },
  },
  "a name like its pattern": { feed: { namePattern: "al*ce" }, event: named("alice") },
  "a name whose earlier one was like its pattern": {
    feed: { namePattern: "al*" },
    event: named("bob", "alice"),
  },
  "a name like a pattern in other letters": { feed: { namePattern: "Al_CE" }, event: named("aL_ce") },
  "other events, whatever pattern and people it asks for": {
    feed: { namePattern: "x", peopleOnly: true },
    event: ban,
  },
};

const pendingNotifications: Record<string, Case> = {
  "a channel that the server is not linked to": { event: { ...ban, channelId: "music" } },
  "a linked channel that it does not ask for": { feed: { channelIds: ["art"] }, event: ban },
  "a kind that it does not ask for": { event: { ...ban, kinds: ["pins", "members"] } },
  "what belongs to no channel, where the server has none": {
    feed: { linkedChannelIds: [] },
    event: { ...ban, channelId: null },
  },
  "moderators' work, in a room for readers": {
    feed: { forReaders: true },
    event: { ...ban, guildId: "900", roomId: "room", forReaders: false },
  },
  "another server's own affair": { event: { ...ban, guildId: "901" } },
  "what is meant for another room": { event: { ...ban, guildId: "900", roomId: "other" } },
  "what is meant for a room of that name in another server": {
    event: { ...ban, guildId: "901", roomId: "room" },
  },
  "what its server's own bulk did": { event: { ...ban, bulkGuildId: "900" } },
  "a name of nobody's, where it asks for members": { feed: { peopleOnly: true }, event: named("alice") },
  "a name of another server's member": {
    feed: { peopleOnly: true },
    event: { ...named("alice"), name: { names: ["alice"], memberOf: new Set(["901"]) } },
  },
  "a name unlike its pattern": { feed: { namePattern: "al_ce" }, event: named("alice") },
};

describe("a feed tells", () => {
  test.each(Object.entries(told))("%s", (_, { feed: change, event }) => {
    expect(wants({ ...feed, ...change }, event)).toBe(true);
  });
});

describe("a feed does not tell", () => {
  test.each(Object.entries(pendingNotifications))("%s", (_, { feed: change, event }) => {
    expect(wants({ ...feed, ...change }, event)).toBe(false);
  });
});

test.each([
  ["*", "", true],
  ["a*", "ba", false],
  ["*a", "ab", false],
  ["*a*b*", "xaxbx", true],
  ["*a*b*", "ba", false],
  ["ab*ba", "aba", false],
  ["a*b*c", "abbc", true],
  ["a%c", "abc", false],
  ["a\\c", "a\\c", true],
  ["a.c", "abc", false],
  ["abc", "abcd", false],
])("the pattern %s and the name %s", (namePattern, name, isLike) => {
  expect(wants({ ...feed, namePattern }, named(name))).toBe(isLike);
});
