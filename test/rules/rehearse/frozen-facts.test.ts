import { expect, it } from "vitest";
import { contract, type Network } from "../../../src/contract/index.ts";
import type { Endpoint } from "../../../src/contract/endpoint.ts";
import { readOnly } from "../../../src/rules/rehearse/frozen-facts.ts";

const called: string[] = [];
const groups = Object.entries(contract).map(([group, endpoints]) => {
  const calls = Object.keys(endpoints).map((name) => [
    name,
    async (...given: unknown[]) => {
      called.push(`${group}.${name}`);
      return given;
    },
  ]);
  return [group, Object.fromEntries(calls)];
});
const network = Object.fromEntries(groups) as Network; // a call for every endpoint of the contract

const endpoints = Object.entries(contract).flatMap(([group, endpoints]) =>
  Object.entries<Endpoint>(endpoints).map(([name, { method }]) => ({ group, name, method })),
);

/** Calls an endpoint through the limits; gives its answer, or the message of what it threw. */
async function callThrough(group: string, name: string): Promise<unknown> {
  const limited: Record<string, Record<string, unknown>> = readOnly(network, { calls: Infinity });
  const call = limited[group]?.[name];
  if (typeof call !== "function") throw new Error(`${group}.${name} is missing`);
  called.length = 0;
  // Every call gives a promise.
  const answer = call({ channelId: "memes" }, undefined) as Promise<unknown>;
  return answer.catch((error: unknown) => String(error));
}

it.each(endpoints.filter(({ method }) => method === "GET"))("lets $group.$name through", async (endpoint) => {
  const { group, name } = endpoint;
  expect(await callThrough(group, name)).toEqual([{ channelId: "memes" }, undefined]);
  expect(called).toEqual([`${group}.${name}`]);
});

it.each(endpoints.filter(({ method }) => method !== "GET"))(
  "never calls $method $group.$name",
  async (one) => {
    expect(await callThrough(one.group, one.name)).toContain(`a rehearsal called ${one.method}`);
    expect(called).toEqual([]);
  },
);

it("asks no more often than it may", async () => {
  const limited = readOnly(network, { calls: 2 });
  await limited.channels.get({ channelId: "memes" });
  await limited.channels.all({});
  await expect(limited.channels.all({})).rejects.toMatchObject({
    code: "rate_limited",
    message: "The rehearsal has used up its network calls.",
  });
});

it("says so where the network lacks a call", async () => {
  const older = Object.fromEntries(groups.filter(([group]) => group !== "channels")) as Network; // but for one group
  await expect(readOnly(older, { calls: 1 }).channels.get({ channelId: "memes" })).rejects.toThrow(
    "the network has no channels.get",
  );
});
