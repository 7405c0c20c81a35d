import { beforeEach, describe, expect, it } from "vitest";
import type { State } from "../../../src/api/domain/membership.ts";
import { saveStanding } from "../../../src/api/store/standings.ts";
import { useTestNetwork } from "../../support/test-cases.ts";

const [owner, author, reader] = [1, 7, 8];
const states: State[] = [
  "stranger",
  "invited",
  "restricted",
  "banned",
  "member",
  "nominated",
  "moderator",
  "appointed",
  "owner",
];
const outsiders = new Set<State>(["stranger", "invited", "restricted", "banned"]);

const network = await useTestNetwork();
beforeEach(async () => {
  await network.context.database.truncate();
  for (const fid of [author, reader]) await network.seed.account(fid);
  await network.seed.channel("open", { owner });
  await network.seed.channel("closed", { owner, publicCasting: false });
});

/** Makes the author what a state says, in both channels. */
async function become(state: State): Promise<void> {
  const answers = { member: undefined, moderator: undefined };
  for (const channelId of ["open", "closed"]) {
    await network.context.database.transaction((tx) =>
      saveStanding(tx, {
        channelId,
        fid: author,
        before: { state: "stranger", answers },
        after: { state, answers },
        caller: owner,
        now: 1_700_000_000,
      }),
    );
  }
}

/** Casts as the author; B: hidden by a ban, E: on entry. */
async function cast(input: {
  channelId?: string;
  parentHash?: string;
  mentions?: number[];
}): Promise<string> {
  const { hash } = await network.api.operator.cast({ fid: author, text: "gm", ...input });
  const { hiddenByModeration, hiddenByBan, hiddenOnEntry } = await network.api.operator.readCast({ hash });
  expect(hiddenByModeration).toBe(false);
  return `${hiddenByBan ? "B" : ""}${hiddenOnEntry ? "E" : ""}`;
}

describe("visibility of a cast that enters a channel", () => {
  it.each(states)("by one who is %s", async (state) => {
    await become(state);
    for (const channelId of ["open", "closed"]) {
      const parentHash = await network.seed.cast({ fid: owner, channelId });
      expect(await cast({ parentHash })).toBe(state === "banned" ? "B" : "");
    }
    expect(await cast({ channelId: "open" })).toBe("");
    expect(await cast({ channelId: "closed" })).toBe(outsiders.has(state) ? "E" : "");
  });

  it("by one whom somebody addressed blocks, in a channel or none", async () => {
    await become("member");
    await network.as(reader).blockedUsers.block({ blockFid: author });
    for (const place of [{ channelId: "closed" }, {}]) {
      const parentHash = await network.seed.cast({ fid: reader, ...place });
      expect(await cast({ parentHash })).toBe("E");
      expect(await cast({ ...place, mentions: [reader] })).toBe("E");
      expect(await cast({ ...place, mentions: [owner] })).toBe("");
    }
  });
});
