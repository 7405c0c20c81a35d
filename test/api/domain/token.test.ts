import { describe, expect, it } from "vitest";
import { isExpired, normalizeKey, parseToken } from "../../../src/api/domain/token.ts";

const now = 1_700_000_000;
const day = 86_400;
const digits = "0123456789abcdef".repeat(4);
const key = `0x${digits}`;
const header = { fid: 7, type: "app_key", key };

const encode = (value: unknown) =>
  Buffer.from(value instanceof Uint8Array ? value : JSON.stringify(value)).toString("base64url");

interface Parts {
  header?: unknown;
  payload?: unknown;
  signature?: Uint8Array;
  /** What follows the three segments. */
  rest?: string;
}

function write(parts: Parts = {}): string {
  const signature = encode(parts.signature ?? new Uint8Array(64).fill(9));
  const segments = [encode(parts.header ?? header), encode(parts.payload ?? { exp: now + 300 }), signature];
  return segments.join(".") + (parts.rest ?? "");
}

const parse = (text: string) => parseToken(text, now, day);
const refusal = (problem: string) =>
  expect.objectContaining({ code: "invalid_auth_token", message: `The bearer token ${problem}.` });

describe("a bearer token", () => {
  it("gives its fid, key, expiry, signature, and the text that was signed", () => {
    const text = write();
    const token = parse(text);
    expect(token).toEqual({
      fid: 7,
      key,
      exp: now + 300,
      signature: Buffer.alloc(64, 9),
      signed: expect.any(Uint8Array),
    });
    expect(Buffer.from(token.signed).toString()).toBe(text.slice(0, text.lastIndexOf(".")));
  });

  it.each([digits, key, digits.toUpperCase(), `0X${digits.toUpperCase()}`])(
    "may write its key as %s",
    (written) => {
      expect(parse(write({ header: { ...header, key: written } })).key).toBe(key);
      expect(normalizeKey(written)).toBe(key);
    },
  );

  it("may say more than is asked for, up to 4096 characters", () => {
    const padded = (length: number) => write({ header: { ...header, note: "x".repeat(length) } });
    const longest = padded(2877);
    expect(longest).toHaveLength(4096);
    expect(parse(longest).fid).toBe(7);
    expect(() => parse(padded(2878))).toThrow(refusal("is not three base64url segments"));
  });
});

describe("a bearer token is refused", () => {
  const [first = "", second = "", third = ""] = write().split(".");

  it.each([
    "",
    "..",
    first,
    `${first}.${second}`,
    `.${second}.${third}`,
    `${first}..${third}`,
    `${first}.${second}.`,
    `${write()}.${third}`,
    `${third}.${write()}`,
    `${write()}=`,
    `+${write()}`,
    `${first}.${second}/.${third}`,
    `${write()}\n`,
  ])("unless it has three segments of base64url: %j", (text) => {
    expect(() => parse(text)).toThrow(refusal("is not three base64url segments"));
  });

  it.each([null, [], [header], "text", 7, true])("when a part is the JSON value %j", (part) => {
    expect(() => parse(write({ header: part ?? Buffer.from("null") }))).toThrow(
      refusal("has a header that is not a JSON object"),
    );
    expect(() => parse(write({ payload: part ?? Buffer.from("null") }))).toThrow(
      refusal("has a payload that is not a JSON object"),
    );
  });

  it("when a part is not JSON, or not UTF-8", () => {
    const latin1 = Buffer.from(JSON.stringify({ ...header, exp: now + 300, note: "é" }), "latin1");
    for (const part of [Buffer.from("{"), latin1]) {
      expect(() => parse(write({ header: part }))).toThrow("header that is not a JSON object");
      expect(() => parse(write({ payload: part }))).toThrow("payload that is not a JSON object");
    }
  });

  it.each(["custody", "APP_KEY", "", 1, undefined])("when its type is %j", (type) => {
    expect(() => parse(write({ header: { ...header, type } }))).toThrow(refusal("is not of type app_key"));
  });

  it.each([0, -1, 1.5, "7", 2 ** 53, null, undefined])("when its fid is %j", (fid) => {
    expect(() => parse(write({ header: { ...header, fid } }))).toThrow(refusal("names no fid"));
  });

  it.each([1, 2 ** 53 - 1])("but not when its fid is %i", (fid) => {
    expect(parse(write({ header: { ...header, fid } })).fid).toBe(fid);
  });

  it.each([digits.slice(1), `${key}0`, `0${key}`, `0x${digits.slice(1)}g`, "", 7, [key], undefined])(
    "when its key is %j",
    (odd) => {
      expect(() => parse(write({ header: { ...header, key: odd } }))).toThrow(
        refusal("names no key of 32 bytes"),
      );
    },
  );

  it.each([1, 63, 65])("when its signature has %i bytes", (length) => {
    expect(() => parse(write({ signature: new Uint8Array(length) }))).toThrow(
      refusal("has no signature of 64 bytes"),
    );
  });

  it.each([undefined, null, String(now + 300), now + 0.5, 2 ** 53])("when it expires at %j", (exp) => {
    expect(() => parse(write({ payload: { exp } }))).toThrow(refusal("has no expiry time"));
  });

  it("when it is expired, with 5 seconds for a clock that is behind", () => {
    expect(parse(write({ payload: { exp: now - 4 } })).exp).toBe(now - 4);
    expect(() => parse(write({ payload: { exp: now - 5 } }))).toThrow(refusal("is expired"));
    expect([isExpired(now + 1, now), isExpired(now - 4, now), isExpired(now - 5, now)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it("when it lives longer than it may", () => {
    expect(parse(write({ payload: { exp: now + day } })).exp).toBe(now + day);
    expect(() => parse(write({ payload: { exp: now + day + 1 } }))).toThrow(
      refusal("expires too far in the future"),
    );
  });

  /** The faults in the order in which the interface checks them. */
  const faults: [problem: string, Parts | { member: object }][] = [
    ["is not three base64url segments", { rest: ".more" }],
    ["has a header that is not a JSON object", { header: [] }],
    ["has a payload that is not a JSON object", { payload: [] }],
    ["is not of type app_key", { member: { type: "custody" } }],
    ["names no fid", { member: { fid: 0 } }],
    ["names no key of 32 bytes", { member: { key: "0x" } }],
    ["has no signature of 64 bytes", { signature: new Uint8Array(1) }],
    ["has no expiry time", { payload: { exp: "soon" } }],
    ["is expired", { payload: { exp: 1 } }],
  ];

  it.each(faults.map(([problem], index) => [problem, index] as const))(
    "for the first of its faults only: %s",
    (problem, index) => {
      const wrong = faults.slice(index).map(([, fault]) => fault);
      const members = wrong.map((fault) => ("member" in fault ? fault.member : {}));
      // Where two faults are in one place, the earlier one stands.
      const parts: Parts = Object.assign({}, ...wrong.toReversed());
      const text = write({ ...parts, header: parts.header ?? Object.assign({}, header, ...members) });
      expect(() => parse(text)).toThrow(refusal(problem));
    },
  );
});
