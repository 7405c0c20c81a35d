import { describe, expect, it } from "vitest";
import { hostsOf, withOwners } from "../../../src/rules/links/hosts.ts";
import { castCreated, castHash } from "../../support/rules.ts";

describe("the hosts that a cast links to", () => {
  it.each<[string, string[]]>([
    ["gm, see https://evil.example/a?b#c and https://b.example.", ["evil.example", "b.example"]],
    ["(https://evil.example) “https://b.example”", ["evil.example", "b.example"]],
    ["https://metamask.io@evil.example/", ["evil.example"]],
    ["https://metamask.io:pass@evil.example:8443/x", ["evil.example"]],
    ["https://[2001:db8:0::1]:80/", ["[2001:db8::1]"]],
    ["http://0x7f.1/ http://203.0.113.7", ["127.0.0.1", "203.0.113.7"]],
    ["https://EVIL.Example", ["evil.example"]],
    ["https://ｅｖｉｌ．ｅｘａｍｐｌｅ", ["evil.example"]],
    ["https://evil。example", ["evil.example"]],
    ["https://metamаsk.example", ["xn--metamsk-6fg.example"]],
    ["hxxps://evil[.]example/claim", ["evil.example"]],
    ["evil(dot)example, evil2 [.] example", ["evil.example", "evil2.example"]],
    ["claim at evil.com now, or at www.b.example", ["evil.com", "www.b.example"]],
    ["mail you@evil.com, see /docs/a.com and ./b.com", []],
    ["gm. Nice one.Really? v1.2.3 e.g. this", ["one.really"]],
    ["no link at all", []],
  ])("%s", (text, hosts) => {
    expect([...hostsOf(castCreated(text))].toSorted()).toEqual(hosts.toSorted());
  });

  it("are those that it embeds, too", () => {
    const cast = {
      hash: castHash,
      embeds: ["https://evil.example/x", "b.example", "no address"],
      threadDepth: 0,
      mentions: 0,
    };
    expect(hostsOf(castCreated("gm", { cast }))).toEqual(["evil.example", "b.example"]);
  });
});

describe("a host and its owners", () => {
  it("are the host and the last of them, where there are many", () => {
    const owners = withOwners(`${"a.".repeat(100)}evil.example`);
    expect(owners).toHaveLength(10);
    expect([owners[0]?.length, owners[9]]).toEqual([212, "evil.example"]);
  });

  it.each([
    ["a.b.evil.co.uk", ["a.b.evil.co.uk", "b.evil.co.uk", "evil.co.uk", "co.uk"]],
    ["evil.example", ["evil.example"]],
    ["a.evil.github.io", ["a.evil.github.io", "evil.github.io", "github.io"]],
    ["co.uk", ["co.uk"]],
    ["203.0.113.7", ["203.0.113.7"]],
    ["[2001:db8::1]", ["[2001:db8::1]"]],
  ])("%s", (host, owners) => {
    expect(withOwners(host)).toEqual(owners);
  });
});
