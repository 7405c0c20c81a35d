import { castRow } from "./rules.ts";
import type { World } from "./world.ts";

/** Casts that are on the network and known to the bot: hashes, oldest first. */
export async function addCasts(
  bot: World,
  count: number,
  cast: { fid: number; channelId?: string; text?: string },
): Promise<string[]> {
  const { fid, channelId = "memes", text = "gm" } = cast;
  const hashes: string[] = [];
  for (let index = 0; index < count; index += 1) {
    hashes.push(await bot.net.seed.cast({ fid, channelId, text: `${text} ${index}` }));
  }
  const rows = hashes.map((hash, index) => ({
    ...castRow(hash, { fid, hidden: false }),
    channel_id: channelId,
    text: `${text} ${index}`,
    cast_at: 1_600_000_000 + index,
  }));
  await bot.database.query.insertInto("castellan.casts").values(rows).execute();
  return hashes;
}
