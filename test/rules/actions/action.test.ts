import { describe, expect, it } from "vitest";
import { atAuthor, atCast } from "../../../src/rules/actions/action.ts";
import { castCreated, castHash, nameTaken } from "../../support/rules.ts";

describe("an action's aim", () => {
  it("is the event's cast, where it is about one", () => {
    const aim = atCast((castHash) => ({ kind: "hide", castHash }));
    expect(aim(castCreated("gm"))).toEqual({ kind: "hide", castHash });
    expect(aim(nameTaken("alice"))).toEqual({ impossible: "The event is not about a cast." });
  });

  it("is the author, where one is known", () => {
    const aim = atAuthor((fid) => ({ kind: "unban", fid }));
    expect(aim(castCreated("gm", { authorFid: 8 }))).toEqual({ kind: "unban", fid: 8 });
    expect(aim(castCreated("gm", { authorFid: null }))).toEqual({ impossible: "The author is not known." });
  });
});
