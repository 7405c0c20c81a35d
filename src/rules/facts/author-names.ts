import { asAppError } from "../../errors.ts";
import { needOf, type Fact, type FactContext, type FactSource } from "./fact.ts";
import { authorNotKnown, inParallel, readNetwork } from "./read-network.ts";

const name = "names seen, then the name registry";

const source: FactSource<readonly string[], []> = {
  name,
  far: true,
  async load(context, wanted) {
    const fids = wanted.flatMap(({ occurrence: { authorFid } }) => authorFid ?? []);
    const seen = await findNames(context, fids);
    return inParallel(
      wanted,
      async ({ occurrence: { authorFid: fid } }): Promise<Fact<readonly string[]>> => {
        if (fid === null) return authorNotKnown(name, context);
        const names = seen.get(fid);
        if (names) return { known: true, value: names, source: name, at: context.clock.now() };
        return context.cache.get(`names:${fid}`, () => readRegistry(context, fid));
      },
    );
  },
};

/** The names that the author holds, possibly none. */
export const authorNames = needOf(source);

/** Names of users seen at the hub. */
export async function findNames(
  { database }: FactContext,
  fids: readonly number[],
): Promise<Map<number, string[]>> {
  const names = new Map<number, string[]>();
  if (fids.length === 0) return names;
  const rows = await database.query
    .selectFrom("castellan.names")
    .select(["fid", "name"])
    .where("fid", "in", [...new Set(fids)])
    .execute();
  for (const row of rows) names.set(row.fid, [...(names.get(row.fid) ?? []), row.name]);
  return names;
}

/** The name that a user holds in the registry, as a list; empty for none. */
export function readRegistry(context: FactContext, fid: number): Promise<Fact<string[]>> {
  return readNetwork(context, "name registry", async (signal) => {
    try {
      const { transfer } = await context.network.transfers.current({ fid }, { signal });
      return transfer.to === fid ? [transfer.username] : [];
    } catch (error) {
      if (asAppError(error, "not_found", "invalid_request", "USERNAME_NOT_FOUND")) return [];
      throw error;
    }
  });
}
