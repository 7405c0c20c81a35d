import { setTimeout as sleep } from "node:timers/promises";
import { answer, integer } from "../../src/discord/command.ts";
import type { View } from "../../src/discord/view.ts";
import type { Feed } from "../../src/feed/feeds.ts";
import { findTest, requestTest } from "../../src/feed/test-feed.ts";
import { authorizeFeed } from "../../src/moderation/authorize-server.ts";
import { amount } from "../../src/text/amount.ts";
import { colors } from "../../src/text/colors.ts";
import { feedNumber, findRunningFeed } from "./find-feed.ts";

/** Whoever asked is told what came of it if it came within so many looks, a few seconds; the room hears of it in any case. */
const looks = 10;
const pause = 200;

export const testFeed = answer({
  description: "Post a test to a feed's room, by the way that all news take",
  needs: "feeds",
  options: {
    number: integer(feedNumber),
  },
  async run(context, { number }) {
    const { feed } = await findRunningFeed(context, number);
    await authorizeFeed(context, context.actor, feed.channelIds, context.roomAccess(feed.roomId));
    const eventId = await requestTest(context, feed, context.actor.userId);
    for (let look = 0; look < looks; look += 1) {
      const found = await findTest(context, feed.roomId, eventId);
      if (found.state === "sent") {
        return say(`Posted to <#${feed.roomId}>. Feed ${number} works.`, colors.good);
      }
      if (found.state === "parked") return say(`Discord refused the test: ${found.error ?? ""}`, colors.bad);
      await sleep(pause);
    }
    return describeWait((await findRunningFeed(context, number)).feed);
  },
});

function describeWait({ roomId, roomQueue }: Feed): View {
  const { pausedSinceMs, error, waiting } = roomQueue;
  if (pausedSinceMs !== null) {
    return say(
      `<#${roomId}> is paused: ${error ?? "the room is gone."} The test waits with the rest.`,
      colors.bad,
    );
  }
  const why = error === null ? "" : ` Last trouble: ${error}`;
  const wait = `The test is not posted to <#${roomId}> yet: ${amount(waiting, "event")} waiting.${why}`;
  return say(`${wait} It comes as soon as it can.`, colors.warning);
}

function say(description: string, color: number): View {
  return { embeds: [{ description, color }] };
}
