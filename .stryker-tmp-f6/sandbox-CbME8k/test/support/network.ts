// @ts-nocheck
import { createApi, type Api } from "../../src/api/create-api.ts";
import type { Network } from "../../src/contract/index.ts";
import { createTestContext, type TestContext } from "./api-context.ts";
import { createSeed, type Seed } from "./seed.ts";

/** An embedded network of the test file's own, with quick ways to fill it. Close its database after all. */
export interface TestNetwork {
  context: TestContext;
  api: Api;
  /** The network as a user sees it. */
  as(fid: number): Network;
  /** The network as the public sees it. */
  public: Network;
  seed: Seed;
}

export async function createTestNetwork(context?: TestContext): Promise<TestNetwork> {
  const own = context ?? (await createTestContext());
  const api = createApi(own);
  return {
    context: own,
    api,
    as: (fid) => api.network(fid),
    public: api.network(),
    seed: createSeed(own.database.query),
  };
}
