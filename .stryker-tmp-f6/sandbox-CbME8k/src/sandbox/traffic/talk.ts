// @ts-nocheck
import { gardenTalk, marketTalk, memeTalk, replies } from "../people/phrases.ts";
import { pickMember, pickOne, type Town } from "./town.ts";

const talk = { garden: gardenTalk, "night-market": marketTalk, memes: memeTalk } as const;
const channelIds = Object.keys(talk) as (keyof typeof talk)[]; // keys of the literal above

/** A member casts into one of the channels. */
export async function castSomething(town: Town): Promise<void> {
  const channelId = pickOne(town, channelIds);
  const author = await pickMember(town, channelId);
  if (!author) return;
  const { hash } = await town.operator.cast({
    fid: author.fid,
    text: pickOne(town, talk[channelId]),
    channelId,
  });
  town.memory.casts = [hash, ...town.memory.casts].slice(0, 12);
}

/** Somebody answers what was said lately. */
export async function replyToSomething(town: Town): Promise<void> {
  if (town.memory.casts.length === 0) return castSomething(town);
  const author = pickOne(
    town,
    town.accounts.filter(({ fid }) => fid > 5),
  );
  await town.operator.cast({
    fid: author.fid,
    text: pickOne(town, replies),
    parentHash: pickOne(town, town.memory.casts),
  });
}
