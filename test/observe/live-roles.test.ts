import { describe, expect, test } from "vitest";
import { pollListings } from "../../src/observe/listings/poll-listings.ts";
import { useLiveClient } from "../live/live-client-scene.ts";

const scene = useLiveClient(50);

describe("by the events of all channels", () => {
  test("a member who is made a moderator, and is one no more, joined once", async () => {
    await scene.link("memes");
    await scene.live(20);
    const { channels } = scene.client;
    channels.setStanding("memes", 7, "member");
    await scene.live(20);
    for (const standing of ["moderator", "member"] as const) {
      scene.context.clock.advance(3600);
      channels.setStanding("memes", 7, standing);
      await scene.live(60);
    }
    scene.context.clock.advance(3600);
    // The events come after a reading of the listings.
    for (const standing of ["moderator", "member"] as const) channels.setStanding("memes", 7, standing);
    scene.context.clock.advance(10);
    await pollListings(scene.context, "memes");
    await scene.live(600);
    const told = (await scene.told()).filter((line) => line !== "channel.edited");
    expect(told).toEqual(["member.joined 7"]);
  });

  test("an invite that another replaced has ended, whichever event comes first", async () => {
    await scene.link("memes");
    await scene.live(20);
    const { channels } = scene.client;
    channels.follow("memes", 7);
    channels.invite("memes", 7, "member", 1);
    await scene.live(6);
    channels.answerInvite("memes", 7, "member", true);
    channels.invite("memes", 7, "moderator", 1);
    // The newest first: created, role-changed, accepted.
    const late = channels.events.splice(1, 2);
    await scene.live(6);
    channels.events.splice(1, 0, ...late);
    await scene.live(600);
    expect((await scene.told()).toSorted()).toEqual([
      "invite.created 7",
      "invite.created 7",
      "invite.ended 7",
      "member.joined 7",
    ]);
  });
});
