import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { parseHTML } from "linkedom";
import { afterAll, describe, expect, test } from "vitest";
import { drawSvg } from "../../src/drawing/draw-svg.ts";
import { createDrawer } from "../../src/drawing/drawer.ts";
import { fitName, pictureSize, type Picture } from "../../src/drawing/picture.ts";
import { countPoints } from "../../src/text/message-text.ts";
import { readPng } from "../support/png.ts";
import { drawer } from "../support/world.ts";

const day = 86_400_000;
const color = { dark: "#ff0000", light: "#aa0000" };

function pictureOf(change: Partial<Picture> = {}): Picture {
  return {
    theme: "dark",
    title: "/memes",
    subtitle: "Nov 1 – 4",
    tiles: [{ value: "7", label: "cases" }],
    columns: {
      title: "Cases a day",
      from: 0,
      until: 4 * day,
      step: day,
      series: [{ name: "Ban", color }],
      values: [{ from: day, series: "Ban", count: 7 }],
    },
    lists: [{ title: "By rule", rows: [{ name: "scam", count: 7 }], nothing: "None." }],
    ...change,
  };
}
const named = (...names: string[]) =>
  pictureOf({
    title: names.join(" "),
    lists: [{ title: "By rule", rows: names.map((name) => ({ name, count: 1 })), nothing: "" }],
  });

const draw = async (picture: Picture) => readPng(await drawer.draw("1", picture));

describe("a picture", () => {
  test("is a PNG of the size that is said, on the ground of its theme", { timeout: 60_000 }, async () => {
    const [dark, light] = [await draw(pictureOf()), await draw(pictureOf({ theme: "light" }))];
    for (const { width, height } of [dark, light]) expect({ width, height }).toEqual(pictureSize);
    expect([dark.pixel(3, 3), light.pixel(3, 3)]).toEqual(["#313338", "#ffffff"]);
    expect(dark.pixels.equals(light.pixels)).toBe(false);
  });

  test("shows the numbers that it is given", { timeout: 60_000 }, async () => {
    const { columns } = pictureOf();
    const high = await draw(pictureOf());
    const low = await draw(
      pictureOf({ columns: { ...columns, values: [{ from: day, series: "Ban", count: 1 }] } }),
    );
    const none = await draw(pictureOf({ columns: { ...columns, values: [] } }));
    const red = ({ pixels }: typeof high) => {
      let found = 0;
      for (let at = 0; at < pixels.length; at += 4) if (pixels.readUInt32BE(at) === 0xff0000ff) found += 1;
      return found;
    };
    // The legend has its sample of the color.
    const columnOf = (picture: typeof high) => red(picture) - red(none);
    expect(columnOf(low)).toBeGreaterThan(1000);
    expect(columnOf(high)).toBeGreaterThan(columnOf(low) * 2);
    expect(high.pixels.equals((await draw(named("scam", "other"))).pixels)).toBe(false);
  });
});

describe("names in a picture", () => {
  const hostile = [
    "<svg onload=alert(1)>",
    "</text><script>x</script>",
    "&amp;&#60;]]>",
    "\u202egnp.exe\u202c",
    "\u0000\u0007\ud800x",
    "نجمة الصباح",
    "😀👩‍👩‍👧‍👦",
    "a".repeat(5000),
    `z${"\u0301".repeat(500)}`,
    "\u200b\u2060",
  ];

  test("are text, whatever they are", { timeout: 60_000 }, async () => {
    const tags = (names: string[]) => {
      const { document } = parseHTML(drawSvg(named(...names)));
      return [...document.querySelectorAll("*")].map(({ tagName }) => tagName);
    };
    for (const name of hostile) {
      const fitted = fitName(name, 17);
      expect(countPoints(fitted)).toBeLessThanOrEqual(17);
      expect(fitted).toMatch(/^[^\p{Cc}\p{Cf}\p{Cs}]+$/u);
      expect(tags([fitted])).toEqual(tags(["harmless"]));
      expect(parseHTML(drawSvg(named(fitted))).document.querySelector("text")?.textContent).toBe(fitted);
    }
    expect(fitName("<svg onload=alert(1)>", 40)).toBe("<svg onload=alert(1)>");
    expect(fitName("\u200b\u2060", 17)).toBe("(no name)");
    const [one, other] = [hostile.slice(0, 5), hostile.slice(5)].map((names) =>
      names.map((name) => fitName(name, 17)),
    );
    const drawn = await draw(named(...(one ?? [])));
    expect(drawn.pixels.equals((await draw(named(...(other ?? [])))).pixels)).toBe(false);
  });

  test("never keep a picture from being drawn", { timeout: 60_000 }, async () => {
    const name = fc.string({ unit: fc.nat({ max: 0x10ffff }).map((point) => String.fromCodePoint(point)) });
    await fc.assert(
      fc.asyncProperty(fc.array(name, { minLength: 5, maxLength: 5 }), async (names) => {
        const { width } = await draw(named(...names.map((one) => fitName(one, 17))));
        expect(width).toBe(pictureSize.width);
      }),
      { numRuns: 6 },
    );
  });

  test(
    "leave the place of their number free, however wide their letters are",
    { timeout: 60_000 },
    async () => {
      const [wide, none] = [await draw(named("W".repeat(17))), await draw(named("."))];
      // Between the name's frame and the number, by the list's first row.
      for (let x = 470; x < 510; x++) expect(wide.pixel(x, 1090)).toBe(none.pixel(x, 1090));
    },
  );
});

describe("who draws", () => {
  let now = 0;
  const fixture = (name: string) => ({
    file: fileURLToPath(new URL(`../fixtures/drawing/${name}.mjs`, import.meta.url)),
    execArgv: [],
  });
  const hanging = createDrawer({ thread: fixture("hangs"), timeoutMs: 300, monotonic: () => now });
  const dying = createDrawer({ thread: fixture("dies"), monotonic: () => now });
  afterAll(async () => {
    await hanging.close();
    await dying.close();
  });

  test("is ended where a picture takes too long, and the next has a thread again", async () => {
    await expect(hanging.draw("1", pictureOf())).rejects.toThrow("aborted");
    await expect(hanging.draw("1", pictureOf())).rejects.toThrow("aborted");
  });

  test("may die without more than the picture being lost", async () => {
    await expect(dying.draw("1", pictureOf())).rejects.toThrow("exit");
    await expect(dying.draw("2", pictureOf())).rejects.toThrow("exit");
  });

  test("draws one at a time for a person, and six within ten minutes", async () => {
    const first = dying.draw("3", pictureOf()).catch(() => {});
    await expect(dying.draw("3", pictureOf())).rejects.toMatchObject({ code: "rate_limited" });
    await first;
    for (let more = 0; more < 5; more++) await dying.draw("3", pictureOf()).catch(() => {});
    await expect(dying.draw("3", pictureOf())).rejects.toMatchObject({
      code: "rate_limited",
      message: "You had 6 pictures within ten minutes; the next can be drawn in 10 min.",
    });
    await expect(dying.draw("4", pictureOf())).rejects.not.toMatchObject({ code: "rate_limited" });
    now += 10 * 60_000;
    await expect(dying.draw("3", pictureOf())).rejects.not.toMatchObject({ code: "rate_limited" });
  });
});
