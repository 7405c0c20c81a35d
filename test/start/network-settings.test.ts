import { expect, it } from "vitest";
import { defaultSettings } from "../../src/api/context.ts";
import { parseConfig } from "../../src/config.ts";
import { liveNameDomain } from "../../src/contract/name-claim.ts";
import { readNetworkSettings } from "../../src/start/network-settings.ts";

const settingsOf = (environment: Record<string, string>) => readNetworkSettings(parseConfig(environment));

it("Without configuration the embedded network has the interface's default settings", () => {
  expect(settingsOf({})).toEqual(defaultSettings);
});

it("REGISTRY_RULES=live reserves names, throttles each for 28 days and moves none between two fids", () => {
  const { reservedNames, transferThrottle, directTransfers } = settingsOf({ REGISTRY_RULES: "live" });
  expect(directTransfers).toBe(false);
  expect(transferThrottle).toBe(28 * 24 * 3600);
  expect(["farcaster", "openai", "zoraco"].every((name) => reservedNames.has(name))).toBe(true);
  expect(reservedNames.has("alice")).toBe(false);
  expect([...reservedNames].every((name) => /^[a-z0-9][a-z0-9-]{0,15}$/.test(name))).toBe(true);
});

it("HUB_HOURS is given in hours, and NAME_DOMAIN=live is the domain of the live registry", () => {
  const settings = settingsOf({ HUB_HOURS: "2", NAME_DOMAIN: "live" });
  expect(settings).toMatchObject({ hubRetention: 7200, nameDomain: liveNameDomain });
});

it.each([{ HUB_HOURS: "0" }, { REGISTRY_RULES: "upstream" }, { NAME_DOMAIN: "farcaster" }])(
  "refuses %j",
  (environment) => {
    expect(() => settingsOf(environment)).toThrow("The configuration has mistakes");
  },
);
