// @ts-nocheck
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { confusables } from "../../src/text/confusables.ts";
import { packConfusables, packed } from "./pack-confusables.ts";

const committed = readFileSync(packed, "utf8");

/** Where the machine has Unicode's own file, if anywhere. */
const place = "/usr/share/unicode/security/confusables.txt";

/** The table as Unicode writes it, in another order. */
function asUnicodeWrites(): string {
  const hex = (point: number) => point.toString(16).toUpperCase().padStart(4, "0");
  const lines = confusables.split(";").flatMap((row) => {
    const [target = "", sources = ""] = row.split("=");
    if (target === "") return [];
    const points = target.split("-").map((point) => hex(parseInt(point, 36)));
    let source = 0;
    return sources.split(" ").map((distance) => {
      source += parseInt(distance, 36);
      return `${hex(source)} ;\t${points.join(" ")} ;\tMA\t# a comment`;
    });
  });
  const version = /Unicode (\d+\.\d+)/.exec(committed)?.[1];
  return ["# confusables.txt", `# Version: ${version}.0`, ...lines.toReversed(), ""].join("\n");
}

describe("the table of confusables", () => {
  it("is what the packer makes of such data", () => {
    expect(packConfusables(asUnicodeWrites())).toBe(committed);
  });

  it("is not made of anything else", () => {
    expect(() => packConfusables("0041 ; 0042 ; MA")).toThrow("names no version");
  });

  it.runIf(existsSync(place))("is what Unicode's own file says", () => {
    expect(packConfusables(readFileSync(place, "utf8"))).toBe(committed);
  });

  it("comes with its licence", () => {
    const licence = readFileSync(new URL("../../LICENSE.Unicode-3.0.txt", import.meta.url), "utf8");
    expect(licence).toContain("UNICODE LICENSE V3");
    expect(committed).toContain("SPDX-License-Identifier: Unicode-3.0");
  });
});
