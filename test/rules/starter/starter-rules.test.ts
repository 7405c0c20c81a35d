import { describe, expect, it } from "vitest";
import { leavesOf } from "../../../src/rules/evaluate/condition.ts";
import { evaluate } from "../../../src/rules/evaluate/evaluate.ts";
import { membership } from "../../../src/rules/conditions/author-in-channel.ts";
import { starterRules } from "../../../src/rules/starter/starter-rules.ts";
import { castCreated, factsOf, known, ruleSetOf } from "../../support/rules.ts";

function starterOf(id: string) {
  const starter = starterRules.find((one) => one.id === id);
  const [rule] = ruleSetOf(starter?.entry).rules;
  if (!starter || !rule) throw new Error(`there is no ${id}`);
  return { ...starter, rule };
}

const listens: Record<string, string> = {
  "impostor-names": "username_proof.merged",
  "repeat-offenders": "strike.added",
};

describe("a starter rule", () => {
  it("has an id, by which its rule is called as well", () => {
    expect(starterRules.map(({ id }) => id)).toEqual([
      "scam-links",
      "known-bad-links",
      "look-alike-links",
      "impostor-names",
      "flood",
      "link-flood",
      "duplicates",
      "first-links",
      "link-waves",
      "same-replies",
      "renamed-links",
      "repeat-offenders",
      "invite-regulars",
    ]);
    for (const { id } of starterRules) expect(starterOf(id).rule.id).toBe(id);
  });

  const hides = (points: number, days: number) => [
    "hide the cast",
    `give ${points} strike point${points === 1 ? "" : "s"} for ${days} days`,
  ];
  it.each<[string, string[]]>([
    ["scam-links", hides(2, 30)],
    ["known-bad-links", hides(2, 30)],
    ["look-alike-links", ["hold for review in links"]],
    ["impostor-names", ["hold for review in names"]],
    ["flood", ["hold for review in spam", "give 1 strike point for 7 days"]],
    ["link-flood", hides(1, 7)],
    ["duplicates", hides(1, 7)],
    ["first-links", ["hold for review in links"]],
    ["link-waves", ["hold for review in links"]],
    ["same-replies", hides(1, 7)],
    ["renamed-links", ["hold for review in links"]],
    ["repeat-offenders", ["ban the author for 7 days (Five strike points)"]],
    ["invite-regulars", ["invite the author as member"]],
  ])("%s says in a sentence what it is for, and does this", (id, actions) => {
    const { what, rule } = starterOf(id);
    expect(what).toMatch(/^(Hides|Holds for review|Bans|Invites) .{20,}\.$/);
    expect(rule.on).toEqual([listens[id] ?? "cast.created"]);
    expect(rule.actions.map(({ sentence }) => sentence)).toEqual(actions);
  });

  it.each<[string, string[]]>([
    [
      "impostor-names",
      [
        "the name looks like a name of owner, moderators",
        "the name matches /(?i)(^|-)(support|helpdesk|admin|official|airdrop|giveaway|claim)(-|\\.|$)/",
      ],
    ],
    ["known-bad-links", ["the cast links to a known bad address"]],
    ["look-alike-links", ["the cast links to a look-alike address"]],
    ["flood", ["cast.created by the author within 2m: 6 or more"]],
    [
      "link-flood",
      [
        "cast.created by the author within 5m, if the number of links in the cast is at least 1: 4 or more",
        "the number of links in the cast is at least 1",
        "the author is not a member",
      ],
    ],
    ["duplicates", ["the same text by the author within 1h: 3 or more", "the author is not a member"]],
    [
      "first-links",
      [
        "the number of the author's casts in the channel is 1",
        "the number of links in the cast is at least 1",
        "the author is not a member",
      ],
    ],
    [
      "link-waves",
      [
        "the number of authors who cast an address of the cast within 10m: 3 or more",
        "the author is not a member",
      ],
    ],
    [
      "same-replies",
      [
        "the number of people the author answered with nearly this text within 1h: 5 or more",
        "the text's length is at least 20",
        "the author is not a member",
      ],
    ],
    [
      "renamed-links",
      [
        "the author changed their name within 1d",
        "the number of links in the cast is at least 1",
        "the author is not a member",
      ],
    ],
    ["repeat-offenders", ["the author's strikes is at least 5"]],
    [
      "invite-regulars",
      [
        "cast.created by the author within 30d: 20 or more",
        "record.hidden by the author within 30d: 1 or more",
        "invite.created by the author within 30d: 1 or more",
        "the author is not a member",
        "the author follows the channel",
        "the author is not restricted",
      ],
    ],
  ])("%s asks these", (id, sentences) => {
    const leaves = leavesOf(starterOf(id).rule.when);
    expect(leaves.map(({ leaf }) => leaf.sentence)).toEqual(sentences);
  });

  const breaker = (max: number, text: string) => ({ max, per: { text }, then: "review" });
  const cooldown = (text: string) => ({ per: "author", for: { text } });
  it.each<[string, object, string]>([
    ["scam-links", { breaker: breaker(30, "1h") }, "review"],
    ["known-bad-links", { breaker: breaker(30, "1h") }, "skip"],
    ["look-alike-links", { breaker: { max: 30, per: { text: "1h" }, then: "shadow" } }, "skip"],
    ["impostor-names", {}, "skip"],
    ["flood", { cooldown: cooldown("30m") }, "skip"],
    ["duplicates", { breaker: breaker(30, "1h") }, "skip"],
    ["repeat-offenders", { cooldown: cooldown("1d"), breaker: breaker(10, "1h") }, "skip"],
    ["invite-regulars", { cooldown: cooldown("30d"), breaker: breaker(20, "1d") }, "skip"],
  ])("%s acts only so often, and where it cannot tell does what it says", (id, limits, onUnknown) => {
    const { rule } = starterOf(id);
    expect(rule.limits).toMatchObject(limits);
    expect(Object.keys(rule.limits)).toEqual(Object.keys(limits));
    expect(rule.onUnknown).toBe(onUnknown);
  });

  it("that invites says as what", () => {
    expect(starterOf("invite-regulars").entry).toMatchObject({ then: [{ invite: { role: "member" } }] });
  });

  it("of lures is asked before the others", () => {
    const entries = starterRules.map(({ entry }) => entry);
    expect(ruleSetOf(...entries).rules[0]?.id).toBe("scam-links");
  });
});

describe("scam-links", () => {
  const link = "https://x.example/";
  const judge = (text: string, isMember = false) => {
    const { entry } = starterOf("scam-links");
    const facts = factsOf(known(membership, isMember));
    const evaluation = evaluate(ruleSetOf({ ...entry, mode: "enforce" }), castCreated(text), facts, 99);
    return evaluation.asked && evaluation.verdicts.length > 0;
  };

  it.each([
    `Claim your free tokens ${link}`,
    `You are eligible, connect ${link}`,
    `The airdrop is live ${link}`,
    `Mint now ${link}`,
    `Synchronize your wallet ${link}`,
    `Token migration ${link}`,
    `Your wallet will be suspended ${link}`,
    `Official support will help ${link}`,
    `Our presale ends soon ${link}`,
    `Casino with a bonus ${link}`,
    `Type your 12 words ${link}`,
    `Reclama tu airdrop ${link}`,
    `Airdrop gratis ${link}`,
    `Ücretsiz token ${link}`,
    `Бесплатный токен ${link}`,
    `领取空投 ${link}`,
    `무료 토큰 ${link}`,
    "Enter your seed phrase",
    "Double your ETH",
    "Send 0.1 ETH and get 0.2",
    "Guaranteed profit",
    "Earn $500 daily",
    "A trader helped me, DM me",
    "Forex signals",
    "Buy 1000 followers",
  ])("hides: %s", (text) => {
    expect(judge(text)).toBe(true);
  });

  it.each([
    "gm",
    `My new track ${link}`,
    "Claim your free tokens",
    `Never connect your wallet: phishing ${link}`,
    "Do not enter your seed phrase anywhere",
  ])("leaves alone: %s", (text) => {
    expect(judge(text)).toBe(false);
  });

  it("leaves members alone", () => {
    expect(judge("Enter your seed phrase", true)).toBe(false);
  });
});
