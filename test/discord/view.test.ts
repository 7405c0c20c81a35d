import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fitChoices, fitFile, fitText } from "../../src/discord/view.ts";
import { toReply, type View } from "../../src/discord/view.ts";
import type { RoomButton, RoomEmbed } from "../../src/feed/rooms.ts";
import { discordLimits } from "../../src/limits/discord-limits.ts";
import { MessageBody, messageIssues } from "../../src/sandbox/discord/shapes/message.ts";
import { parseForm } from "../../src/sandbox/discord/shapes/parse-form.ts";
import { codeBlock, escapeText, inlineCode } from "../../src/text/message-text.ts";

const pieces = [
  "a",
  "👍",
  "👨‍👩‍👧",
  "e\u0301\u0302\u0303",
  "\ud800",
  "ש",
  "\n",
  " ",
  "`x`",
  "```\ny\n```",
  "*",
  "<@1>",
];
const word = fc.string({ unit: fc.constantFrom(...pieces), maxLength: 12 });
/** Up to four times what Discord takes of anything. */
const text = fc
  .tuple(word, fc.constantFrom(0, 1, 10, 200, 2000))
  .map(([unit, times]) => unit.repeat(times).slice(0, 9000));
const embed: fc.Arbitrary<RoomEmbed> = fc.record(
  {
    title: text,
    description: text,
    footer: text,
    color: fc.integer({ min: 0, max: 0xffffff }),
    timestamp: fc.constant(1_700_000_000_000),
    fields: fc.array(fc.record({ name: text, value: text }), { maxLength: 40 }),
  },
  { requiredKeys: [] },
);
const button: fc.Arbitrary<RoomButton> = fc.record({
  customId: fc.uuid(),
  label: text,
  style: fc.constantFrom("primary", "secondary", "success", "danger"),
});
const view: fc.Arbitrary<View> = fc.record(
  {
    content: text,
    embeds: fc.array(embed, { maxLength: 14 }),
    buttons: fc.array(fc.array(button, { maxLength: 9 }), { maxLength: 9 }),
    files: fc.array(fc.record({ name: fc.constant("a.txt"), text: word }), { maxLength: 14 }),
  },
  { requiredKeys: [] },
);

/** Discord counts code points, the local one what JavaScript counts: the same where each point is one unit. */
function inUnits(value: unknown): unknown {
  if (typeof value === "string")
    return Array.from(value, (point) => (point.length > 1 ? "x" : point)).join("");
  if (Array.isArray(value)) return value.map(inUnits);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inUnits(inner)]));
}

test("whatever a view holds, Discord takes what is sent of it", () => {
  fc.assert(
    fc.property(view, (given) => {
      const { content, embeds, components, files } = toReply(given);
      const body = inUnits({ content, embeds, components });
      const parsed = parseForm(MessageBody, body, (form) => messageIssues(form, 0));
      expect(files.length).toBeLessThanOrEqual(10);
      for (const sent of parsed.embeds ?? []) {
        expect([sent.title, sent.description, sent.footer, ...(sent.fields ?? [])].some(Boolean)).toBe(true);
        for (const field of sent.fields ?? []) expect(field.value.trim()).not.toBe("");
      }
      expect(JSON.stringify([content, embeds])).not.toMatch(/\\ud[89a-f]/i);
    }),
    { numRuns: 100 },
  );
});

test("a view that fits is sent as it is", () => {
  const embeds = [
    {
      title: "t".repeat(256),
      description: "👍".repeat(4096),
      fields: [{ name: "n", value: "v".repeat(1024) }],
    },
  ];
  expect(toReply({ content: "c".repeat(2000), embeds })).toMatchObject({ content: "c".repeat(2000), embeds });
});

describe("a text that is cut", () => {
  test("leaves no code style open, in which strangers' words would be formatted", () => {
    const harmless = fc.oneof(
      word.map((raw) => escapeText(raw)),
      word.map((raw) => inlineCode(raw)),
      word.map((raw) => `\n${codeBlock(raw)}\n`),
    );
    fc.assert(
      fc.property(
        fc.array(harmless, { minLength: 5, maxLength: 30 }),
        fc.integer({ min: 10, max: 200 }),
        (parts, maximum) => {
          const cut = fitText(parts.join(" "), maximum);
          expect(Array.from(cut).length).toBeLessThanOrEqual(maximum);
          const outside = cut.replace(/```[\s\S]*?```|`[^`\n]+`|\\[\s\S]/g, "");
          expect(outside).not.toMatch(/[`<>@*]/);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test("of a file says so at its end", () => {
    const bytes = fitFile("é".repeat(discordLimits.fileBytes));
    expect(bytes.length).toBeLessThanOrEqual(discordLimits.fileBytes);
    expect(bytes.subarray(-70).toString()).toContain("cut here: the rest is too large");
    expect(fitFile("short").toString()).toBe("short");
  });
});

test("suggestions are at most 25, with names that fit and values that come back whole", () => {
  const many = Array.from({ length: 40 }, (_, index) => ({ name: "👍".repeat(200), value: `${index}` }));
  const fitted = fitChoices([
    { name: "", value: "empty" },
    { name: "long", value: "x".repeat(101) },
    ...many,
  ]);
  expect(fitted).toHaveLength(25);
  expect(fitted[0]).toEqual({ name: "–", value: "empty" });
  expect(fitted[1]?.value).toBe("0");
  for (const { name } of fitted) expect(Array.from(name).length).toBeLessThanOrEqual(100);
});
