import { expect, it } from "vitest";
import { createScriptedServer, operatorToken } from "../../support/served-network.ts";

const headers = { authorization: `Bearer ${operatorToken}` };

it("runs the tasks of the operator's commands for the operator alone, where this process has a bot", async () => {
  const tasks = new Map<string, (body: unknown) => Promise<unknown>>([
    ["exports", async (body) => ({ given: body })],
    ["config", async () => undefined],
  ]);
  const { server } = await createScriptedServer({ tasks });
  const ask = (name: string, given: object = headers) =>
    server.inject({
      method: "POST",
      url: `/operator/${name}`,
      headers: { ...given },
      payload: { of: "cases" },
    });
  expect((await ask("exports", {})).statusCode).toBe(401);
  const answer = await ask("exports");
  expect([answer.statusCode, answer.json()]).toEqual([200, { given: { of: "cases" } }]);
  expect(answer.headers).toMatchObject({ "cache-control": "no-store" });
  expect((await ask("config")).body).toContain("This process has no bot.");
  expect((await ask("others")).statusCode).toBe(404);
});
