import { describe, expect, it } from "vitest";
import { findLookAlike } from "../../../src/rules/links/look-alike.ts";
import { wellKnownNames } from "../../../src/rules/links/protected-names.ts";
import { readHost } from "../../../src/rules/links/hosts.ts";

const why = (host: string) => findLookAlike(readHost(host) ?? host, wellKnownNames);

describe("an address looks like another's", () => {
  it.each([
    [
      "metamask.io.evil.example",
      "metamask.io.evil.example begins like metamask.io, whose site is metamask.io",
    ],
    ["www.coinbase.com.login.example", "begins like coinbase.com"],
    ["metamаsk.io", "is written to be read as metamask (metamаsk)"],
    ["xn--metamsk-6fg.com", "is written to be read as metamask (metamаsk)"],
    ["rnetamask.io", "is written to be read as metamask (rnetamask)"],
    ["c0inbase.com", "is written to be read as coinbase (c0inbase)"],
    ["meta-mask.example", "is written to be read as metamask (meta-mask)"],
    ["uniswap.example", "has the name uniswap"],
    ["uniswap.vercel.app", "has the name uniswap"],
    ["metamask-claim.example", "combines the name metamask with a word that lures people"],
    ["claim.metamask.evil.example", "combines the name metamask"],
    ["metamasklogin.example", "combines the name metamask"],
    ["rewards-base.example", "combines the name base"],
    ["airdrop.arbitrum.example", "combines the name arbitrum"],
    ["metamusk.example", "is nearly metamask (metamusk)"],
    ["cooinbase.com", "is nearly coinbase (cooinbase)"],
    ["metamsk-airdrop.example", "is nearly metamask (metamsk)"],
    ["panacakeswop.example", "is nearly pancakeswap (panacakeswop)"],
  ])("%s", (host, expected) => {
    expect(why(host)).toContain(expected);
  });

  it.each([
    "metamask.io",
    "support.metamask.io",
    "docs.base.org",
    "rainbow-cafe.example",
    "phantom.example",
    "finance.example",
    "finance.yahoo.com",
    "coinbase.substack.com",
    "github.com",
    "en.wikipedia.org",
    "bücher.example",
    "яндекс.рф",
    "blog.ethereum.example",
    "database.example",
    "basement-rewards.example",
    "tresor.example",
    "203.0.113.7",
    "[2001:db8::1]",
    "com",
    "a.b.c.d.e.example",
  ])("but %s does not", (host) => {
    expect(why(host)).toBeUndefined();
  });
});
