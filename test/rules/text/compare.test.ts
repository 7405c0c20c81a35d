import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fingerprintOf } from "../../../src/rules/conditions/duplicate.ts";
import { createLeafReader, truthOf } from "../../../src/rules/evaluate/condition.ts";
import { Facts } from "../../../src/rules/facts/fact.ts";
import { readText } from "../../../src/rules/text/rule-text.ts";
import { castCreated, rule, ruleSetOf } from "../../support/rules.ts";

/** Whether the test holds for a cast, as rules find it: the one look at all rules comes first. */
function holds(test: object, text: string): boolean {
  const occurrence = castCreated(text);
  return ruleSetOf(rule({ when: { text: test } }))
    .findCandidates(occurrence)
    .some(({ when }) => truthOf(when, createLeafReader(occurrence, new Facts())) === true);
}

describe("a word and a text are folded in the same way", () => {
  it.each([
    ["розыгрыш", "pозыгрыш", "a Latin p"],
    ["розыгрыш", "большой PОЗЫГРЫШ призов", "a Latin P"],
    ["pозыгрыш", "розыгрыш", "a Latin p in the rule"],
    ["скам", "это cкaм", "Latin c and a"],
    ["скам", "CKAм", "all but one"],
    ["бесплатно", "бecплaтнo", "four of them"],
    ["бесплатно", "6есплатно", "a digit"],
    ["раздача", "РA3ДAЧA", "a digit and capitals"],
    ["начало розыгрыша", "Hачало pозыгрыша", "in two words"],
    ["привет", "nривет", "an n for п"],
    ["δωρεάν", "ΔΩΡΕΑΝ", "capitals have no tonos"],
    ["ΔΩΡΕΑΝ", "δωρεάν", "nor does the rule need one"],
    ["δωρεάν", "δωpεάv", "Latin p and v"],
    ["αρχή", "ἀρχὴ", "many accents"],
    ["σας", "ΣΑΣ", "the last sigma"],
    ["airdrop", "FREE AİRDROP", "the Turkish İ"],
    ["AİRDROP", "free airdrop", "the Turkish İ in the rule"],
    ["straße", "STRASSE", "two letters in capitals"],
    ["STRASSE", "straße", "the same the other way round"],
    ["احتيال", "هذا احـــتيال", "stretched"],
    ["احتيال", "اِحْتِيَال", "with vowel signs"],
    ["اِحْتِيَال", "احتيال", "with vowel signs in the rule"],
    ["أرباح", "ارباح", "without hamza"],
    ["کلیک", "كليك", "Persian and Arabic letters"],
    ["שלום", "שָׁלוֹם", "with niqqud"],
    ["ещё", "еще", "the Russian ё"],
    ["скам", "с\u0301ка\u0336м", "with marks of no script"],
    ["カジノ", "力ジノ", "a Chinese letter"],
    ["工場", "エ場", "a Japanese letter"],
    ["verify", "ᴠᴇʀɪғʏ", "small capitals as generators write them"],
    ["free", "ғʀᴇᴇ", "the same"],
    ["δωρεάν", "δωρεáν", "a Latin á"],
    ["κερδίστε", "κερδíστε", "a Latin í"],
    ["δίκιο", "δiκιο", "a Latin i"],
    ["ёлка", "\u00EBлка", "a Latin ë"],
    ["їжа", "\u00EFжа", "a Latin ï"],
    ["скам", "скäм", "an accent that Russian does not have"],
    ["кошелек", "кошεлек", "a Greek epsilon"],
    ["çekiliş", "ҫekiliş", "a Cyrillic ҫ"],
    ["çekiliş", "çekiliș", "a Romanian ș"],
    ["ödül", "ӧdül", "a Cyrillic ӧ"],
    ["wallet", "ωallet", "a Greek omega"],
    ["claim", "ϲlaim", "a sigma that looks like c"],
    ["συνδέσου", "ϲυνδέϲου", "the same where it is a sigma"],
    ["claim", "cӀaim", "a palochka"],
    ["crypto", "CRΥPTO", "a Greek capital that is another letter when it is small"],
    ["bonus", "BOΝUS", "another"],
    ["hack", "ΗACK", "a third"],
    ["lame", "ᏞᎪᎷᎬ", "Cherokee capitals"],
    ["هدية", "هديه", "heh for teh marbuta"],
    ["جائزة", "جايزه", "without its hamza"],
    ["חינם", "חינמ", "the last letter written as any other"],
    ["मुफ़्त", "मुफ्त", "without the dot"],
    ["१००", "१०0", "digits of two scripts"],
    ["١٠٠", "۱۰۰", "Arabic and Persian digits"],
    ["100", "١٠٠", "Arabic digits"],
    ["և", "ԵՎ", "two letters in capitals"],
    ["แจก", "เเจก", "a letter typed as two"],
    ["անվճար", "անվճաr", "a Latin r"],
    ["claim", "₵Ⱡ₳ɨ₥", "signs of currencies"],
    ["claim", "cl\uFFF9aim", "annotations"],
    ["claim", "cl\u0007aim", "control characters"],
  ])("%s is found in %s: %s", (wanted, text) => {
    expect(holds({ contains: wanted }, text)).toBe(true);
    expect(holds({ contains: wanted }, `+ ${text}!`)).toBe(true);
  });

  it.each([
    ["скам", "(?i)скам", "cкaм"],
    ["δωρεάν", "(?i)δωρεάν", "ΔΩΡΕΑΝ"],
    ["straße", "(?i)straße!", "STRASSE!"],
    ["احتيال", "اِ?حتيال", "احـــتيال"],
    ["airdrop", "(?i)free.airdrop", "FREE AİRDROP"],
    ["accents typed apart", "miễn phí".normalize("NFD"), "miễn phí"],
    ["half-width letters", "ｶｼﾞﾉ", "カジノ"],
    ["digits", "[١٢]٠٠", "١00"],
  ])("patterns as well: %s", (_, matches, text) => {
    expect(holds({ matches }, text)).toBe(true);
  });

  it("equality, too, but for letters that only look the same", () => {
    expect(holds({ eq: "δωρεάν" }, "ΔΩΡΕΑΝ")).toBe(true);
    expect(holds({ in: ["straße"] }, "STRASSE")).toBe(true);
    expect(holds({ eq: "скам" }, "cкам")).toBe(false);
  });

  it.each([
    ["ano", "feliz año"],
    ["иод", "йод"],
    ["कम", "काम"],
    ["มา", "ม้า"],
    ["か", "が"],
    ["кот", "kit"],
    ["pak", "как"],
    ["тест", "an architect"],
  ])("%s is not found in %s", (wanted, text) => {
    expect(holds({ contains: wanted }, text)).toBe(false);
  });

  const words = [
    "розыгрыш",
    "бесплатно",
    "раздача",
    "δωρεάν",
    "κέρδος",
    "airdrop",
    "straße",
    "احتيال",
    "שלום",
    "무료",
    "空投",
  ];
  const borrowed: Record<string, string[]> = {
    а: ["a"],
    е: ["e", "ё"],
    о: ["o", "ο"],
    р: ["p", "ρ"],
    с: ["c"],
    у: ["y"],
    х: ["x"],
    з: ["3"],
    д: ["д\u0301"],
    α: ["a", "ά", "а"],
    ε: ["ε\u0300"],
    ο: ["o", "ό"],
    ρ: ["p"],
    κ: ["κ\u0323"],
    ν: ["v"],
    ς: ["σ", "Σ"],
    ß: ["ss", "ẞ", "SS"],
    i: ["İ", "і", "ı"],
    a: ["а", "α"],
    o: ["о"],
    r: ["ʀ", "r"],
    ا: ["اَ", "ـا", "إ"],
    ي: ["ی", "يّ"],
    ل: ["ـل"],
    ו: ["וֹ"],
    ש: ["שׁ"],
  };
  const noise = fc.constantFrom("", "\u200B", "\u00AD", "\uFFF9", "\u2063", "\u0003");
  const around = fc.constantFrom("", " ", "!", "¡", "—", "…", "\n", "*", "_", "🎁", "【", "»");

  it("whatever of its letters are borrowed, drawn in capitals, marked or parted by what does not show", () => {
    const disguised = fc.constantFrom(...words).chain((word) => {
      const letters = Array.from(word).map((letter) =>
        fc.tuple(
          noise,
          fc.constantFrom(letter, letter.toUpperCase(), letter, ...(borrowed[letter] ?? [])),
          noise,
        ),
      );
      return fc.record({
        word: fc.constant(word),
        text: fc.tuple(...letters).map((pieces) => pieces.flat().join("")),
      });
    });
    fc.assert(
      fc.property(disguised, around, around, ({ word, text }, before, after) => {
        // A word all of whose letters are borrowed is one of the other script.
        fc.pre(/[^\p{ASCII}]/u.test(text.replace(/[^\p{L}]/gu, "")) || /^[a-z]+$/.test(word));
        expect([text, holds({ contains: word }, `${before}${text}${after}`)]).toEqual([text, true]);
      }),
      { numRuns: 500 },
    );
  });

  it("and folding once is folding twice", () => {
    const letter = fc.constantFrom(...Array.from("İßςΣάΆёйأیقـשָਕाがカ力ғ₣pPр3\u0301\u200B\u0007 "));
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: letter, maxLength: 20 }), fc.string({ unit: "binary", maxLength: 20 })),
        (raw) => {
          const { folded } = readText(raw);
          expect([raw, readText(folded).folded]).toEqual([raw, folded]);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe("the fingerprint of a text", () => {
  it.each([
    ["free tоken", "free token"],
    ["Большой pозыгрыш", "большой розыгрыш!"],
    ["ΔΩΡΕΑΝ", "δωρεάν"],
    ["احـــتيال", "احتيال"],
    ["gm!", "g\uFFF9m"],
  ])("of %s is that of %s", (one, other) => {
    expect(fingerprintOf(one)).toBe(fingerprintOf(other));
  });

  it.each([
    ["offer 1", "offer 2"],
    ["año", "ano"],
    ["йод", "иод"],
  ])("of %s is not that of %s", (one, other) => {
    expect(fingerprintOf(one)).not.toBe(fingerprintOf(other));
  });
});
