/** Only a server has two transactions at once; on the embedded engine they come one after the other. */
// @ts-nocheck

export const hasServer = process.env["TEST_DATABASE_URL"] !== undefined;
