import { channelInvites } from "../../contract/membership.ts";
import type { Contract } from "../../contract/index.ts";
import type { ApiContext } from "../context.ts";
import { admitInviteCall } from "../domain/call-limit.ts";
import { answerInvite, inviteUser } from "../domain/invite.ts";
import { removeUser } from "../domain/removal.ts";
import { read, write, type Operations } from "../operation.ts";
import { lockChannel } from "../store/channels.ts";
import { addInviteCall, readInviteCalls } from "../store/invite-calls.ts";
import { readInviteFacts } from "../store/invite-facts.ts";
import { given, readChannelPage } from "../store/paging.ts";
import { changeStanding } from "./change-standing.ts";

export const channelInvitesOperations: Operations<Contract>["channelInvites"] = {
  list: read(channelInvites.list, async ({ db }, { channelId, fid, ...page }) => {
    const invites = db
      .selectFrom("network.invites")
      .select([
        "channel_id as channelId",
        "fid as invitedFid",
        "invited_at as invitedAt",
        "inviter_fid as inviterFid",
        "role",
      ])
      .where((eb) => eb.and(given({ channel_id: channelId, fid })));
    const { rows, next } = await readChannelPage(db, channelId, invites, {
      listing: [channelInvites.list.path, channelId, fid],
      order: ["invited_at", "id"],
      ...page,
    });
    return { result: { invites: rows }, ...next };
  }),

  invite: write(
    channelInvites.invite,
    (scope, { channelId, inviteFid, role }) =>
      changeStanding(scope, channelId, inviteFid, async (invitee, callerRole) =>
        inviteUser(invitee, {
          callerRole,
          role,
          ...(await readInviteFacts(scope.db, channelId, inviteFid, scope.caller)),
        }),
      ),
    countInviteCall,
  ),

  remove: write(
    channelInvites.remove,
    (scope, { channelId, removeFid, role }) =>
      changeStanding(scope, channelId, removeFid, (target, callerRole) =>
        removeUser(target, role, callerRole),
      ),
    countInviteCall,
  ),

  answer: write(channelInvites.answer, (scope, { channelId, role, accept }) =>
    changeStanding(scope, channelId, scope.caller, (invitee) => answerInvite(invitee, role, accept)),
  ),
};

/** Counts a call on an existing channel, whatever becomes of it, in a transaction of its own; refuses the 101st. */
async function countInviteCall(
  { database, clock }: ApiContext,
  { channelId }: { channelId: string },
  caller: number,
): Promise<void> {
  await database.transaction(async (tx) => {
    // The channel's lock makes reading and counting one step; two callers at once cannot both be the hundredth.
    await lockChannel(tx, channelId);
    const now = clock.now();
    admitInviteCall(await readInviteCalls(tx, channelId, caller, now), now);
    await addInviteCall(tx, channelId, caller, now);
  });
}
