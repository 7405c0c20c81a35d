import { expect, it } from "vitest";
import { defaultSettings } from "../../src/api/context.ts";
import { parseConfig } from "../../src/config.ts";
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

it("Times are given in the units that their names say", () => {
  const settings = settingsOf({ TOKEN_HOURS: "1", HUB_HOURS: "2", KEY_CONFIRMATION: "30" });
  expect(settings).toMatchObject({ tokenLifetime: 3600, hubRetention: 7200, keyConfirmation: 30 });
});

it("KEY_REQUEST_DOMAIN=live is the domain of the live network", () => {
  const { keyRequestDomain, deeplinkScheme } = settingsOf({
    KEY_REQUEST_DOMAIN: "live",
    DEEPLINK_SCHEME: "farcaster",
  });
  expect([keyRequestDomain.name, deeplinkScheme]).toEqual([
    "Farcaster SignedKeyRequestValidator",
    "farcaster",
  ]);
});

it("NETWORK_SHARDS and HUB_EVENTS say how the hub tells its events", () => {
  const { hub } = settingsOf({ NETWORK_SHARDS: "2", HUB_EVENTS: "live" });
  expect(hub).toEqual({ shards: 2, asLive: true });
});

it.each([
  { NETWORK_SHARDS: "3" },
  { HUB_EVENTS: "on" },
  { HUB_HOURS: "0" },
  { TOKEN_HOURS: "x" },
  { KEY_CONFIRMATION: "-1" },
  { REGISTRY_RULES: "upstream" },
  { NAME_DOMAIN: "farcaster" },
  { DEEPLINK_SCHEME: "My App://" },
])("refuses %j", (environment) => {
  expect(() => settingsOf(environment)).toThrow("The configuration has mistakes");
});
