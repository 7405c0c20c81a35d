/** Only a server has two transactions at once; on the embedded engine they come one after the other. */
export const hasServer = process.env["TEST_DATABASE_URL"] !== undefined;

/** The servers of `.ci/services.sh`; throws where it does not run. */
export function requireServers(): { server: string; redis: string } {
  const { TEST_DATABASE_URL: server, TEST_REDIS_URL: redis } = process.env;
  if (server && redis) return { server, redis };
  throw new Error("This needs a PostgreSQL and a Redis: .ci/services.sh npm run …");
}
