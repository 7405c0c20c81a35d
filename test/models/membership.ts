import * as fc from "fast-check";
import type { Network } from "../../src/contract/index.ts";
import { viewChannel } from "../support/seed.ts";
import { createMembershipModel, type Call } from "./membership-model.ts";
import { outcomeOf, type Subject } from "./model.ts";

/** The bot is on the allowlist. */
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

export const membership: Subject<Call> = {
  title: "invites, roles, restrictions and bans",
  calls: sequence,
  async prepare(network, number) {
    const channelId = `people-${number}`;
    await network.seed.channel(channelId, founders);
    for (const fid of founders.followers) await network.seed.follow(fid, channelId);
    return {
      model: createMembershipModel(founders),
      perform: (call) => outcomeOf(send(network.as(call.caller), channelId, call)),
      view: () => viewChannel(network.public, channelId),
    };
  },
};
