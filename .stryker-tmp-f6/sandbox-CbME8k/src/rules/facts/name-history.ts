// @ts-nocheck
import { askOfAuthor } from "./author-source.ts";

/** Nobody changes names as often; keeps one event's cost bounded. */
const mostPages = 5;

export interface NameHistory {
  /** When the author came to hold a name, oldest first: UNIX seconds. */
  gained: readonly number[];
  /** Since when they hold the one that they hold now. */
  heldSince: number | null;
}

/** How the author came by their names, as the registry tells it. */
export const askNameHistory = askOfAuthor({
  name: "name registry",
  key: "name_history",
  everywhere: true,
  async read({ network }, { fid }, signal): Promise<NameHistory> {
    const gained: number[] = [];
    let heldSince: number | null = null;
    let from_id = 0;
    for (let page = 0; page < mostPages; page++) {
      const { transfers } = await network.transfers.list({ fid, from_id }, { signal });
      for (const { to, timestamp } of transfers) {
        if (to === fid) gained.push(timestamp);
        heldSince = to === fid ? timestamp : null;
      }
      const last = transfers.at(-1);
      if (!last || transfers.length < 100) break;
      from_id = last.id;
    }
    return { gained, heldSince };
  },
});
