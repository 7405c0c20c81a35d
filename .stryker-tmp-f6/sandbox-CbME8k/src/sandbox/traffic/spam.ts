// @ts-nocheck
import { createAccount } from "../people/account.ts";
import { outsideModeratorFid } from "../people/cast-of-characters.ts";
import { spamNames, spamTalk } from "../people/phrases.ts";
import { pickOne, type Town } from "./town.ts";

/** A new account casts the same lure again and again: what the sample rules of `night-market` are there for. */
export async function spamTheMarket(town: Town): Promise<void> {
  const fid = 100_000 + Math.floor(town.random() * 2_000_000_000);
  const account = await createAccount(fid, "");
  const username = `${pickOne(town, spamNames)}-${pickOne(town, spamNames)}-${fid % 1000}`.slice(0, 16);
  await town.operator.importNetwork({
    accounts: [{ fid, custodyAddress: account.custodyAddress, username }],
  });
  for (const text of spamTalk) {
    await town.operator.cast({ fid, text, channelId: "night-market" });
    await town.pause(6000);
  }
}

/** oona hides a cast without Castellan: an outside action in the feed. */
export async function hideFromOutside(town: Town): Promise<void> {
  const moderator = town.accounts.find(({ fid }) => fid === outsideModeratorFid);
  const author = pickOne(
    town,
    town.accounts.filter(({ fid }) => fid > outsideModeratorFid),
  );
  if (!moderator) return;
  const { hash } = await town.operator.cast({
    fid: author.fid,
    text: "Buy two get one free, today only, not a stall of this market!",
    channelId: "night-market",
  });
  await town.pause(5000);
  await town.as(moderator).moderatedCasts.moderate({ castHash: hash, action: "hide" });
}
