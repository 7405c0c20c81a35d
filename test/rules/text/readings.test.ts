import { describe, expect, it } from "vitest";
import { hasIdleAccents } from "../../../src/rules/text/accents.ts";
import { readText, textLimit } from "../../../src/rules/text/rule-text.ts";

const readingsOf = (raw: string) => readText(raw).disguised.map(({ text, how, fold }) => [text, how, fold]);

describe("a disguised text", () => {
  it.each([
    ["c l a i m   y o u r drop", "claim your drop", "spelled words joined, symbols left out"],
    ["c.l.a.i.m y-o-u-r drop", "claim your drop", "spelled words joined"],
    ["claim_your_free_drop", "claim your free drop", "symbols left out"],
    ["claim🎁your 🎁 drop", "claim your drop", "symbols left out"],
    ["c🎁l🎁a🎁i🎁m it", "claim it", "spelled words joined"],
    ["🅲🅻🅰🅸🅼 it", "claim it", "drawn letters as plain ones"],
    ["⒞⒧⒜⒤⒨ it", "claim it", "drawn letters as plain ones"],
    ["ᴄʟᴀɪᴍ it", "claim it", "drawn letters as plain ones"],
    ["c̷l̷a̷i̷m̷ it", "claim it", "accents left out"],
    ["see claim[.]example", "see https://claim.example", "links made whole"],
    ["С л е й м bonus", "слейм bonus", "spelled words joined"],
    ["с l а i m bonus", "claim bonus", "spelled words joined, look-alikes as Latin letters"],
  ])("%j is read as %j", (raw, text, how) => {
    expect(readingsOf(raw)[0]?.slice(0, 2)).toEqual([text, how]);
  });

  it("is read from its end, or word by word, where it stands on its head", () => {
    const texts = readText("doɹpɹᴉɐ ɹnoʎ ɯᴉɐlɔ").disguised.map(({ text }) => text);
    expect(texts).toEqual(["claim your airdrop", "airdrop your claim"]);
  });

  it.each([
    ["fr33 @1rdrop w1th v2", "fre airdrop with vz", "digits as letters, repeated letters once"],
    ["freeee aaiirdrop", "fre airdrop", "repeated letters once"],
    ["cl4im 12 wallets", "ciaim 12 waiets", "digits as letters, repeated letters once"],
  ])("%j is read by the shape of its letters as %j", (raw, text, how) => {
    expect(readingsOf(raw).at(-1)).toEqual([text, how, "shape"]);
  });

  it("keeps its links", () => {
    const [reading] = readText("cl4im at https://b00k.example/a_b_c_d 🎁 n0w").disguised.slice(-1);
    expect(reading?.text).toBe("ciaim at https://b00k.example/a_b_c_d now");
  });

  it.each(["gm", "web3 and v2 for 10k $degen", "good food, cheers", "(a) plan", "I, a cat", "привет"])(
    "%j is none",
    (text) => {
      expect(readingsOf(text)).toEqual([]);
    },
  );
});

describe("accents", () => {
  it.each([
    "feliz año nuevo, señora, ¿qué más?",
    "él está aquí",
    "não há maçãs no pão",
    "là où ça gêne, l'élève français",
    "größere Übungen für Mädchen",
    "Zażółć gęślą jaźń",
    "příliš žluťoučký kůň",
    "árvíztűrő tükörfúrógép",
    "blåbærgrød på en ø",
    "İstanbul'da ığdır şöförü çok güzel",
    "Tôi muốn nhận phần thưởng, được không ạ",
    "ọjọ́ rẹ̀ dára",
    "mā mǎ hǎo, nǚ",
    "मुफ़्त में मिला",
    "ที่นี่ไม่มีอะไร",
    "ёлка и йод",
    "Ελλάδα, τι κάνεις",
    "שָׁלוֹם",
  ])("stay where a language has them: %s", (text) => {
    expect(hasIdleAccents(readText(text).folded)).toBe(false);
    for (const { fold } of readText(text).disguised) expect(fold).not.toMatch(/bare/i);
  });

  it.each([
    "ćļåîm ÿøùr fŕẽe äïřðŕøp",
    "c̷l̷a̷i̷m̷ it",
    "cláim your free aírdrop now",
    "ĉlâîm jôûř frêê drôp",
    "áéíóú",
  ])("go where no language has them, or English: %s", (text) => {
    expect(hasIdleAccents(readText(text).folded)).toBe(true);
  });
});

describe("a long text", () => {
  const long = 100_000;
  const repeat = (part: string) => part.repeat(Math.ceil(long / part.length));
  it.each([
    `e${repeat("\u0301")}`,
    repeat("\u0301\u0323"),
    repeat("c\u0301\u0323\u0336"),
    repeat("a "),
    repeat("a."),
    repeat("a[.]"),
    `${repeat("a.")}[.]`,
    `${repeat("a".repeat(63))}[.]a`,
    repeat("a"),
    repeat("ab.cd."),
    repeat("аa"),
    repeat("a1"),
    `a${repeat("!")}`,
    repeat("đượ"),
    repeat("ɐɔǝ"),
    repeat("(a)"),
    repeat("🎁"),
    repeat("[ "),
    `a${repeat(" ")}b 🎁`,
    repeat("hxxp://"),
  ])("is read to its end, whatever it is made of (%#)", (raw) => {
    const { disguised } = readText(raw);
    for (const { text } of disguised) expect(text.length).toBeLessThanOrEqual(textLimit);
    expect(disguised.length).toBeLessThanOrEqual(6);
  });
});
