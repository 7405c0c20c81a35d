import { afterEach, expect, it, vi } from "vitest";
import { isTimeZone, readTimeZone } from "../../src/text/time-zone.ts";

afterEach(() => vi.unstubAllGlobals());

it.each([
  ["europe/berlin", "Europe/Berlin"],
  ["UTC", "UTC"],
  ["Asia/Kolkata", "Asia/Kolkata"],
  [" Etc/GMT+2 ", "Etc/GMT+2"],
])("reads %s", (typed, zone) => {
  expect(readTimeZone(typed)).toBe(zone);
});

it.each(["+02:00", "-0530", "Berlin", ""])("refuses %j", (typed) => {
  expect(isTimeZone(typed)).toBe(false);
  expect(() => readTimeZone(typed)).toThrow("Unknown time zone");
});

it("refuses an offset, also where Node knows it as a time zone, as Node 22 does", () => {
  class LaterFormat extends Intl.DateTimeFormat {
    constructor() {
      super("en");
    }
    override resolvedOptions() {
      return { ...super.resolvedOptions(), timeZone: "+02:00" };
    }
  }
  vi.stubGlobal("Intl", Object.create(Intl, { DateTimeFormat: { value: LaterFormat } }));
  expect(isTimeZone("+02:00")).toBe(false);
});
