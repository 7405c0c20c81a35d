import { openAsBlob } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, expect, test } from "vitest";
import { executeRequest, openPglite } from "../../../src/database/embedded/pglite.ts";
import { queryMessage } from "../../../src/database/embedded/protocol.ts";
import { prepareTemplateFile, templateFile } from "../../support/database-template.ts";

await prepareTemplateFile();
const instance = await openPglite({ loadDataDir: await openAsBlob(templateFile()) });
afterAll(() => instance.close());

setFlagsFromString("--expose-gc");
// The flag alone gives the function to contexts that are made from now on.
const collectGarbage: unknown = runInNewContext("gc");

async function usedMegabytes(): Promise<number> {
  // What the first collection finds is freed by the second.
  for (let round = 0; round < 2; round += 1) {
    await setImmediate();
    if (typeof collectGarbage === "function") collectGarbage();
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
}

test("of answers that were given nothing stays", async () => {
  const request = queryMessage("select repeat('x', 100000)");
  const answers = async (count: number) => {
    for (let each = 0; each < count; each += 1) await executeRequest(instance, request);
  };
  await answers(50);
  const before = await usedMegabytes();
  await answers(1000);
  // Others in this process take and free some of it too; all the answers together are 100.
  expect((await usedMegabytes()) - before).toBeLessThan(50);
});

test("an answer of many parts is whole", async () => {
  const answer = Buffer.from(await executeRequest(instance, queryMessage("select repeat('xyz', 1000000)")));
  expect(answer.toString("latin1").split("xyz").length - 1).toBe(1_000_000);
});
