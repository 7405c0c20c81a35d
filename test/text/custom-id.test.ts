import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reviewButtonId } from "../../src/feed/render/review.ts";
import { decodeCustomId, encodeCustomId, type CustomId } from "../../src/text/custom-id.ts";

const ids: [string, CustomId][] = [
  ["confirm:aB3_-xyzaB3_-xyz", { kind: "confirm", promptId: "aB3_-xyzaB3_-xyz" }],
  ["cancel:aB3_-xyzaB3_-xyz", { kind: "cancel", promptId: "aB3_-xyzaB3_-xyz" }],
  ["confirm:aB3_-xyzaB3_-xyz:2", { kind: "confirm", promptId: "aB3_-xyzaB3_-xyz", choice: "2" }],
  ["choose:aB3_-xyzaB3_-xyz:0", { kind: "choose", promptId: "aB3_-xyzaB3_-xyz", choice: "0" }],
  ["fill:aB3_-xyzaB3_-xyz", { kind: "fill", promptId: "aB3_-xyzaB3_-xyz" }],
  ["form:aB3_-xyzaB3_-xyz", { kind: "form", promptId: "aB3_-xyzaB3_-xyz" }],
  ["answer:aB3_-xyzaB3_-xyz", { kind: "answer", promptId: "aB3_-xyzaB3_-xyz" }],
  ["page:aB3_-xyzaB3_-xyz:12", { kind: "page", promptId: "aB3_-xyzaB3_-xyz", page: 12 }],
  ["run:who:user=7:channel=memes", { kind: "run", path: "who", options: { user: "7", channel: "memes" } }],
  ["review:t4g:ban-sure", { kind: "command", command: "review", words: ["t4g", "ban-sure"] }],
];

describe("a custom id", () => {
  it.each(ids)("%s, as it stands in messages that were sent, keeps its meaning", (text, id) => {
    expect(decodeCustomId(text)).toEqual(id);
    expect(encodeCustomId(id)).toBe(text);
  });

  it("of a held review is for its command", () => {
    expect(decodeCustomId(reviewButtonId("t4g", "hide"))).toEqual({
      kind: "command",
      command: "review",
      words: ["t4g", "hide"],
    });
  });

  it("can be any text, for anybody may send one", () => {
    const decode = (text: string) => void decodeCustomId(text);
    expect(() => fc.assert(fc.property(fc.string(), decode))).not.toThrow();
  });
});
