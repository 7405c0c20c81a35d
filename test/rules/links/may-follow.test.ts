import { describe, expect, it } from "vitest";
import { mayFollow } from "../../../src/rules/links/may-follow.ts";

const may = (from: string, next: string) => mayFollow(new URL(next), new URL(from));

describe("a feed's redirect", () => {
  it("leads from https to https, and on this machine from there alone", () => {
    expect(may("https://list.example/", "https://other.example/")).toBe(true);
    expect(may("https://list.example/", "http://other.example/")).toBe(false);
    expect(may("http://127.0.0.1:1/", "http://localhost:2/")).toBe(true);
    expect(may("https://localhost/", "https://127.0.0.1/")).toBe(true);
  });

  it.each([
    "localhost",
    "a.localhost",
    "localhost.",
    "127.0.0.1",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "[::1]",
    "[::]",
    "[fd00::1]",
    "[fe80::1]",
    "[::ffff:10.0.0.1]",
    "0x7f000001",
    "192.0.0.1",
    "198.18.0.1",
    "198.19.255.255",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "[2001:db8::1]",
    "[fec0::1]",
    "[ff02::1]",
    "printer.local",
    "printer.local.",
    "metadata.google.internal",
    "router",
  ])("leads to no machine of the operator's own network: %s", (host) => {
    expect(may("https://list.example/", `https://${host}/`)).toBe(false);
  });

  it("may lead to an address of the public network", () => {
    expect(may("https://list.example/", "https://93.184.216.34/")).toBe(true);
    expect(may("https://list.example/", "https://172.32.0.1/")).toBe(true);
    expect(may("https://list.example/", "https://[2606:2800:220:1::1]/")).toBe(true);
    expect(may("https://list.example/", "https://local.example/")).toBe(true);
  });
});
