// @ts-nocheck
import { channelInvites } from "../../contract/membership.ts";
import type { Contract } from "../../contract/index.ts";
import { answerInvite, inviteUser } from "../domain/invite.ts";
import { removeUser } from "../domain/removal.ts";
import { read, write, type Operations } from "../operation.ts";
import { readInviteFacts } from "../store/invite-facts.ts";
import { given, readChannelPage } from "../store/paging.ts";
import { changeStanding } from "./change-standing.ts";
import { countInviteCall } from "./count-invite-call.ts";

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
