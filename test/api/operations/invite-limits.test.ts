import { beforeEach, describe, expect, it } from "vitest";
import { seconds } from "../../../src/clock.ts";
import type { WriteScope } from "../../../src/api/operation.ts";
import { countInviteCall } from "../../../src/api/operations/invite-limit.ts";
import { channelInvitesOperations } from "../../../src/api/operations/membership.ts";
import { asAppError } from "../../../src/errors.ts";
import { viewChannel } from "../../support/seed.ts";
import { useTestNetwork } from "../../support/test-cases.ts";

const [owner, moderator, other] = [1, 2, 3];
const bots = Array.from({ length: 10 }, (_, index) => 2000 + index);
let channelId: string;
let channels = 0;

const network = await useTestNetwork();
for (const fid of bots) await network.seed.bot(fid);
beforeEach(async () => {
  channelId = `memes-${++channels}`;
  await network.seed.channel(channelId, { owner, moderators: [moderator, other] });
});

async function countMany(caller: number, calls: number) {
  for (let call = 0; call < calls; call += 1) {
    await countInviteCall({ context: network.context, caller }, { channelId });
  }
}

function remove(caller: number) {
  return network.as(caller).channelInvites.remove({ channelId, removeFid: 99, role: "member" });
}

/** How each of the calls went: "ok" or the reason of its refusal. */
async function settle(calls: Promise<unknown>[]): Promise<string[]> {
  return (await Promise.allSettled(calls)).map((call) =>
    call.status === "fulfilled" ? "ok" : String(asAppError(call.reason)?.code ?? call.reason),
  );
}

function tally(outcomes: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

describe("a hundred invites and removals an hour", () => {
  it("last no longer when the clock is set back", async () => {
    await countMany(moderator, 100);
    await expect(remove(moderator)).rejects.toMatchObject({ code: "rate_limited" });
    network.context.clock.jump(-86_400);
    await remove(moderator);
    network.context.clock.jump(86_400);
  });

  it("are forgotten once no window reaches them", async () => {
    await countMany(moderator, 30);
    network.context.clock.advance(3600);
    await countMany(other, 20);
    const { rows } = await network.context.database.pool.query(
      "select caller_fid, count(*) as calls from network.invite_calls group by caller_fid",
    );
    expect(rows).toEqual([{ caller_fid: other, calls: 20 }]);
  });
});

describe("the ten moderators", () => {
  it.each([
    ["through the network", (input: Invite) => network.as(owner).channelInvites.invite(input)],
    // The count of calls, which every invite waits for, would otherwise keep them from meeting.
    ["uncounted", runInvite],
  ])("stay ten when fifty invites and appointments of bots come at once, %s", async (_case, invite) => {
    const members = Array.from({ length: 40 }, (_, index) => 1000 + index);
    const crowded = `many-${channels}`;
    await network.seed.channel(crowded, { owner, moderators: [moderator], members });
    const outcomes = await settle(
      [...members, ...bots].map((inviteFid) => invite({ channelId: crowded, inviteFid, role: "moderator" })),
    );
    expect(tally(outcomes)).toEqual({ ok: 9, too_many_moderators: 41 });
    const { moderators, invites } = await viewChannel(network.public, crowded);
    expect(moderators.length + invites.length).toBe(10);
  });
});

interface Invite {
  channelId: string;
  inviteFid: number;
  role: "moderator";
}

function runInvite(input: Invite): Promise<unknown> {
  const { context } = network;
  const { invite } = channelInvitesOperations.operations;
  return context.database.transaction((db) => {
    // Of what an Api has in memory an invite reads nothing.
    const scope: Partial<WriteScope> = { context, db, caller: owner, now: seconds(context.clock) };
    return invite.run(scope as WriteScope, input);
  });
}
