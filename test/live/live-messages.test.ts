import { expect, it } from "vitest";
import { objectionsTo } from "../contract/core-message.ts";
import { LiveChain } from "./live-hub.ts";

const chain = new LiveChain();
const at = 1_790_000_000;

it("messages of the double have the protocol's hashes and signatures, as its own library has them", async () => {
  const root = chain.cast({
    fid: 3,
    text: "Moonflowers",
    at,
    parentUrl: "https://farcaster.xyz/~/channel/garden",
  });
  const reply = chain.cast({ fid: 9_000_000_000, text: "Lemon 🍋", at: at + 1, parent: root.id });
  const named = chain.userData(3, "USER_DATA_TYPE_USERNAME", "alice", at);
  // As userData makes it.
  const { message } = named["mergeMessageBody"] as { message: typeof root.message };
  const objections = await Promise.all([root.message, reply.message, message].map(objectionsTo));
  expect(objections).toEqual([undefined, undefined, undefined]);
  expect(await objectionsTo({ ...root.message, hash: reply.hash })).toMatch(/^invalid hash/);
});
