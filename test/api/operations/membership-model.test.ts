import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Network } from "../../../src/contract/index.ts";
import { asAppError } from "../../../src/errors.ts";
import { viewChannel } from "../../support/channel-view.ts";
import { createMembershipModel, type Call } from "../../support/membership-model.ts";
import { createTestNetwork, type TestNetwork } from "../../support/network.ts";
import { soak } from "../../support/soak.ts";

const founders = {
  owner: 1,
  // Eight, so that a few invites reach the ten.
  moderators: [2, 11, 12, 13, 14, 15, 16, 17],
  members: [3, 4],
  bots: [9001],
  followers: [3, 5, 9001],
};

/** Who acts is mostly one who may; who is acted upon is mostly one who may not. */
const actor = fc.constantFrom(1, 1, 1, 1, 2, 2, 3, 5);
const target = fc.constantFrom(1, 2, 3, 3, 5, 5, 5, 6, 9001);
const role = fc.constantFrom("member" as const, "moderator" as const);

const invite = fc.record({ call: fc.constant("invite" as const), caller: actor, fid: target, role });
const answer = fc.record({
  call: fc.constant("answer" as const),
  caller: target,
  role,
  accept: fc.boolean(),
});
/** One call after another that has to do with it: by chance alone an invite would hardly meet its answer. */
const pair: fc.Arbitrary<Call[]> = fc
  .tuple(invite, answer)
  .map(([invite, answer]) => [invite, { ...answer, caller: invite.fid, role: invite.role }]);
const single: fc.Arbitrary<Call> = fc.oneof(
  invite,
  answer,
  fc.record({ call: fc.constant("remove" as const), caller: actor, fid: target, role }),
  fc.record({ call: fc.constantFrom("ban" as const, "unban" as const), caller: actor, fid: target }),
  fc.record({
    call: fc.constantFrom("follow" as const, "follow" as const, "unfollow" as const),
    caller: target,
  }),
);
const sequence = fc
  .array(
    fc.oneof(
      pair,
      single.map((made) => [made]),
    ),
    { minLength: 6, maxLength: 20 },
  )
  .map((steps) => steps.flat());

let network: TestNetwork;
let channels = 0;

beforeAll(async () => {
  network = await createTestNetwork();
  for (const bot of founders.bots) await network.seed.bot(bot);
});
afterAll(() => network.context.database.close());

/** "ok", or the reason of the refusal. */
async function perform(network: Network, channelId: string, made: Call): Promise<string> {
  try {
    await send(network, channelId, made);
    return "ok";
  } catch (error) {
    return String(asAppError(error)?.code ?? error);
  }
}

function send(network: Network, channelId: string, made: Call): Promise<unknown> {
  switch (made.call) {
    case "invite":
      return network.channelInvites.invite({ channelId, inviteFid: made.fid, role: made.role });
    case "remove":
      return network.channelInvites.remove({ channelId, removeFid: made.fid, role: made.role });
    case "answer":
      return network.channelInvites.answer({ channelId, role: made.role, accept: made.accept });
    case "ban":
      return network.channelBans.ban({ channelId, banFid: made.fid });
    case "unban":
      return network.channelBans.unban({ channelId, unbanFid: made.fid });
    case "follow":
      return network.channelFollows.follow({ channelId });
    case "unfollow":
      return network.channelFollows.unfollow({ channelId });
  }
}

it("Whoever calls whatever in whichever order: the network answers and shows what the model says", async () => {
  await fc.assert(
    fc.asyncProperty(sequence, async (calls) => {
      const channelId = `model-${++channels}`;
      const model = createMembershipModel(founders);
      await network.seed.channel(channelId, founders);
      for (const fid of founders.followers) await network.seed.follow(fid, channelId);
      for (const made of calls) {
        const answered = await perform(network.as(made.caller), channelId, made);
        expect({ made, answered }).toEqual({ made, answered: model.apply(made) });
      }
      expect(await viewChannel(network.public, channelId)).toEqual(model.view());
    }),
    { numRuns: 100 * Number(soak ?? 1), ...(soak === undefined && { seed: 20 }) },
  );
}, 600_000);
