import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { postWebhook } from "../../src/integrations/post-webhook.ts";
import { readWebhookUrl } from "../../src/integrations/webhook-address.ts";
import { startReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";

describe("addresses", () => {
  const hosts = ["hooks.example.org", "*.internal.example"];
  test.each<[string, string[], string]>([
    ["http://example.org/x", [], "it must use https"],
    ["ftp://example.org/x", [], "it must be an https address"],
    ["example.org", [], "it must be an https address"],
    ["https://user:password@example.org/", [], "a user or a password"],
    ["https://example.org/#part", [], "a part after #"],
    [`https://example.org/${"x".repeat(500)}`, [], "at most 500 characters"],
    ["https://example.org/", hosts, "the operator allows other hosts only"],
    ["https://internal.example/", hosts, "the operator allows other hosts only"],
    ["https://evilinternal.example/", hosts, "the operator allows other hosts only"],
    ["https://hooks.example.org.evil.example/", hosts, "the operator allows other hosts only"],
  ])("%s with %j: %s", (url, allowed, why) => {
    expect(() => readWebhookUrl(url, allowed)).toThrow(why);
  });

  test.each([
    ["https://example.org/x?y=1", []],
    ["http://hooks.example.org:9000/x", hosts],
    ["https://a.internal.example/", hosts],
  ])("%s with %j is allowed", (url, allowed) => {
    expect(readWebhookUrl(` ${url} `, allowed)).toBe(url);
  });

  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  let receiver: WebhookReceiver;
  beforeAll(async () => void (receiver = await startReceiver()));
  afterAll(() => receiver.close());

  it.each([
    "127.0.0.1",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "0.0.0.0",
    "[::]",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "[fd00::1]",
    "[fe80::1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "2130706433",
    "0x7f.1",
    "0177.0.0.1",
  ])("never connects to %s, unless the operator named the host", async (host) => {
    const { port } = new URL(receiver.url);
    const called = postWebhook(
      { url: `http://${host}:${port}/`, secret, mayBePrivate: false },
      { id: "msg_1", timestamp: 1, body: "{}" },
    );
    await expect(called).rejects.toMatchObject({
      code: "webhook_failed",
      message: "The address is not public.",
    });
    expect(receiver.calls).toEqual([]);
  });

  it("looks names up by itself, so it does not find the names of this machine", async () => {
    const { port } = new URL(receiver.url);
    const hook = { url: `http://localhost:${port}/`, secret, mayBePrivate: false };
    await expect(postWebhook(hook, { id: "msg_1", timestamp: 1, body: "{}" })).rejects.toThrow(
      "The address cannot be reached (ENOTFOUND).",
    );
    await postWebhook({ ...hook, mayBePrivate: true }, { id: "msg_1", timestamp: 1, body: "{}" });
    expect(receiver.calls).toHaveLength(1);
  });
});
