import { listing } from "../../src/discord/command.ts";
import { listFeeds, type Feed } from "../../src/feed/feeds.ts";
import { languageNames, readLanguage } from "../../src/languages/languages.ts";
import { amount } from "../../src/text/amount.ts";
import { describeTime } from "../../src/text/message-text.ts";
import { authorizeOverview } from "../../src/moderation/authorize-server.ts";
import { describeKinds } from "./describe-feed.ts";
import { textView } from "../../src/discord/view.ts";

const pageSize = 10;

export const listOfFeeds = listing({
  description: "The feeds of this server, and how far behind they are",
  needs: { any: ["unlink", "manage", "view"] },
  options: {},
  async page(context, _, cursor) {
    const { guildId } = context.actor;
    await authorizeOverview(context, context.actor);
    const feeds = await listFeeds(context, guildId);
    const start = cursor === undefined ? 0 : feeds.findIndex(({ id }) => id > Number(cursor));
    const shown = start < 0 ? [] : feeds.slice(start, start + pageSize);
    const last = shown.at(-1);
    return {
      view: textView("plain", shown.map(describeFeed).join("\n") || "None yet. /feed add creates one.", {
        title: `${amount(feeds.length, "feed")} of this server`,
      }),
      ...(last && last.id !== feeds.at(-1)?.id && { next: String(last.id) }),
    };
  },
});

function describeFeed(feed: Feed): string {
  const { roomQueue } = feed;
  const of = feed.channelIds === null ? "all channels" : feed.channelIds.map((id) => `/${id}`).join(", ");
  const trouble = [
    ...(roomQueue.waiting > 0 ? [`${roomQueue.waiting} waiting`] : []),
    ...(roomQueue.blocked > 0 ? [`${roomQueue.blocked} blocked by AutoMod, tried again`] : []),
    ...(roomQueue.parked > 0 ? [`${roomQueue.parked} refused by Discord`] : []),
    ...(roomQueue.pausedSinceMs === null
      ? []
      : [
          `**paused ${describeTime(roomQueue.pausedSinceMs / 1000)}**: ${roomQueue.error ?? "the room is gone"}`,
        ]),
  ];
  if (feed.ended) trouble.unshift(`**ended ${describeTime(feed.ended.atMs / 1000)}**: ${feed.ended.reason}`);
  const state = trouble.length === 0 ? "" : `\n  ${trouble.join(" · ")}`;
  const language = readLanguage(roomQueue.locale);
  const inLanguage = language === "en-US" ? "" : ` · in ${languageNames[language]}`;
  const forReaders = roomQueue.forReaders ? " · for readers" : "";
  return `**${feed.id}** <#${feed.roomId}> · ${of} · ${describeKinds(feed)}${inLanguage}${forReaders}${state}`;
}
