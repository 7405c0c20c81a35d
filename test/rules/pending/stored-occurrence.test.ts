import { describe, expect, it } from "vitest";
import { toOccurrence, type OccurrenceRow } from "../../../src/rules/pending/stored-occurrence.ts";
import { castHash } from "../../support/rules.ts";

const hidden: OccurrenceRow = {
  id: 1,
  source_key: "r:1",
  kind: "record.hidden",
  channel_id: "memes",
  event_channel_id: "memes",
  guild_id: "900",
  subject_fid: null,
  occurred_at: 1,
  observed_at_ms: 1000,
  depth: 0,
  case_id: null,
  cast_hash: castHash,
  data: { castHash },
  cast_fid: 7,
  cast_text: "gm",
  cast_embeds: ["https://a.example"],
  cast_depth: 2,
  causing_rule: null,
};

describe("the cast of an event that is about one", () => {
  it("is what the event says, where it tells of the cast itself", () => {
    const said = { castHash, text: "hi", rootHash: castHash, threadDepth: 1, mentions: [1, 2], embeds: [] };
    const cast: OccurrenceRow = { ...hidden, kind: "cast.created", subject_fid: 8, data: said };
    expect(toOccurrence(cast)).toMatchObject({
      authorFid: 8,
      text: { raw: "hi" },
      cast: { hash: castHash, embeds: [], threadDepth: 1, mentions: 2 },
      causedByRule: null,
    });
  });

  it("is what the index has of it", () => {
    expect(toOccurrence(hidden)).toMatchObject({
      authorFid: 7,
      text: { raw: "gm" },
      cast: { hash: castHash, embeds: ["https://a.example"], threadDepth: 2, mentions: null },
    });
  });

  it.each([{ cast_hash: null }, { cast_embeds: null }, { cast_depth: null }])(
    "is not known with %j",
    (change) => {
      expect(toOccurrence({ ...hidden, ...change }).cast).toBeNull();
    },
  );
});

describe("the rule that caused an event", () => {
  it("is that of the case behind it, or the one that gave the strike", () => {
    expect(toOccurrence({ ...hidden, causing_rule: "scam" }).causedByRule).toBe("scam");
    const strike = { guildId: "900", ruleId: "spam", points: 1, total: 1, until: null };
    const struck: OccurrenceRow = { ...hidden, kind: "strike.added", data: strike, causing_rule: "scam" };
    expect(toOccurrence(struck).causedByRule).toBe("spam");
  });
});
