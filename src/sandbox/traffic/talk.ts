import { gardenTalk, marketTalk, memeTalk, replies } from "../people/phrases.ts";
import { pickMember, pickOne, type Town } from "./town.ts";

const talk = { garden: gardenTalk, "night-market": marketTalk, memes: memeTalk } as const;
const channelIds = Object.keys(talk) as (keyof typeof talk)[]; // keys of the literal above

/** The latest root casts of this run, so that people answer what was just said. */
const recent: string[] = [];

export async function castSomething(town: Town): Promise<void> {
  const channelId = pickOne(town, channelIds);
  const author = await pickMember(town, channelId);
  if (!author) return;
  const { hash } = await town.operator.cast({
    fid: author.fid,
    text: pickOne(town, talk[channelId]),
    channelId,
  });
  recent.unshift(hash);
  recent.length = Math.min(recent.length, 12);
}

export async function replyToSomething(town: Town): Promise<void> {
  if (recent.length === 0) return castSomething(town);
  const author = pickOne(
    town,
    town.accounts.filter(({ fid }) => fid > 5),
  );
  await town.operator.cast({
    fid: author.fid,
    text: pickOne(town, replies),
    parentHash: pickOne(town, recent),
  });
}
