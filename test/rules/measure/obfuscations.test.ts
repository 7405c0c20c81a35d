import { describe, expect, it } from "vitest";
import { createRandom } from "../../support/random.ts";
import { obfuscations } from "./obfuscations.ts";

const text = "Claim your free tokens here https://claim.example/a";

describe("a disguise", () => {
  it.each(obfuscations)("$name is the same for the same seed", ({ apply }) => {
    const texts = [1, 1, 2].map((seed) => apply(text, createRandom(seed)));
    expect(texts[0]).toBe(texts[1]);
    expect(texts[0]).not.toBe(text);
  });

  it.each(obfuscations.filter(({ name }) => name !== "broken links"))(
    "$name leaves links as they are",
    ({ apply }) => {
      expect(apply(text, createRandom(1))).toContain("https://claim.example/a");
    },
  );

  it("of links leaves nothing that a browser opens", () => {
    const broken = obfuscations.find(({ name }) => name === "broken links");
    for (let seed = 0; seed < 50; seed++) {
      expect(broken?.apply(text, createRandom(seed))).not.toContain("claim.example");
    }
  });
});
