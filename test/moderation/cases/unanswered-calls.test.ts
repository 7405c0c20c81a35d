import { beforeEach, describe, expect, test } from "vitest";
import type { Network } from "../../../src/contract/index.ts";
import { AppError } from "../../../src/errors.ts";
import { applyCase } from "../../../src/moderation/cases/apply.ts";
import type { Case } from "../../../src/moderation/cases/case.ts";
import { proposeCase, type Proposal } from "../../../src/moderation/cases/propose.ts";
import { people, troubleNetwork } from "../../support/world.ts";
import { useWorld } from "../../support/test-cases.ts";

const { troll, member, moderator } = people;

const bot = await useWorld();
let cast: string;

beforeEach(async () => {
  cast = await bot.net.seed.cast({ fid: troll, channelId: "memes" });
});

async function act(
  proposal: Pick<Proposal, "kind"> & Partial<Proposal>,
  network = bot.network,
): Promise<Case> {
  const full = { guildId: "g1", channelId: "memes", actor: { userId: "100" }, ...proposal };
  const { id } = await bot.database.transaction((tx) => proposeCase(tx, bot.clock, full));
  return applyCase({ ...bot, network }, id);
}

async function isBanned(fid: number): Promise<boolean> {
  const { result } = await bot.network.channelBans.list({ channelId: "memes", fid });
  return result.bannedUsers.length > 0;
}

describe("a call that nobody answered is not repeated over what others did since", () => {
  const lost = (group: keyof Network, name: string) =>
    troubleNetwork(bot.network, group, name, (call) => (call === 1 ? killed : undefined), "after");
  // Of a process that dies after its call, nothing is written any more: that the look after it fails too comes closest.
  const killed = new Error("killed");

  /** Goes on after a death: the lease has run out. */
  async function goOn({ id }: Case): Promise<Case> {
    await bot.database.query
      .updateTable("castellan.cases")
      .set({ lease_token: null, leased_until_ms: null, retry_at_ms: null })
      .where("id", "=", id)
      .execute();
    return applyCase(bot, id);
  }

  test("a pin over which somebody pinned another cast", async () => {
    const other = await bot.net.seed.cast({ fid: member, channelId: "memes" });
    const pin = await act({ kind: "pin", targetCast: cast }, lost("pinnedCasts", "pin"));
    expect(pin.state).toBe("requested");
    await bot.net.as(moderator).pinnedCasts.pin({ castHash: other, notifyChannelFollowers: false });
    const after = await goOn(pin);
    expect(after.state).toBe("failed");
    expect(after.outcome).toBe("changed_since");
    const { channel } = await bot.network.channels.get({ channelId: "memes" });
    expect(channel.pinnedCastHash).toBe(other);
  });

  test("a ban that was applied is not marked as failed while the network cannot be read", async () => {
    const ban = await act({ kind: "ban", targetFid: troll }, lost("channelBans", "ban"));
    const full = new AppError("rate_limited", "The network wants no more calls of this kind.", {
      retryAfter: 20,
    });
    const silent = troubleNetwork(bot.network, "channelBans", "list", () => full, "before");
    await bot.database.query
      .updateTable("castellan.cases")
      .set({ lease_token: null, leased_until_ms: null, retry_at_ms: null })
      .where("id", "=", ban.id)
      .execute();
    expect(await applyCase({ ...bot, network: silent }, ban.id)).toMatchObject({ state: "requested" });
    expect(await goOn(ban)).toMatchObject({ state: "applied" });
  });

  test("an unban after which somebody banned again", async () => {
    await act({ kind: "ban", targetFid: troll });
    const unban = await act({ kind: "unban", targetFid: troll }, lost("channelBans", "unban"));
    expect(unban.state).toBe("requested");
    bot.clock.advance(2);
    await bot.net.as(moderator).channelBans.ban({ channelId: "memes", banFid: troll });
    const after = await goOn(unban);
    expect(after.state).toBe("applied");
    expect(after.outcome).toBe("banned_again");
    expect(await isBanned(troll)).toBe(true);
  });

  test("a hide that somebody took back", async () => {
    const hide = await act({ kind: "hide", targetCast: cast }, lost("moderatedCasts", "moderate"));
    expect(hide.state).toBe("requested");
    await bot.net.as(moderator).moderatedCasts.moderate({ castHash: cast, action: "unhide" });
    expect((await goOn(hide)).state).toBe("failed");
  });

  test("but it is repeated if nothing has changed since", async () => {
    const network = troubleNetwork(bot.network, "pinnedCasts", "pin", () => killed, "before");
    const pin = await act({ kind: "pin", targetCast: cast }, network);
    expect((await goOn(pin)).state).toBe("applied");
  });
});

test("revoking an invite that was accepted in the meantime reports the removed member", async () => {
  await bot.net.seed.follow(troll, "memes");
  await act({ kind: "invite", targetFid: troll, role: "member" });
  const { channelInvites } = bot.network;
  const remove: typeof channelInvites.remove = async (...asked) => {
    await bot.net.as(troll).channelInvites.answer({ channelId: "memes", role: "member", accept: true });
    return channelInvites.remove(...asked);
  };
  const network = { ...bot.network, channelInvites: { ...channelInvites, remove } };
  const revoked = await act({ kind: "revoke_invite", targetFid: troll, role: "member" }, network);
  expect(revoked.state).toBe("applied");
  expect(revoked.outcome).toBe("removed_member");
});
