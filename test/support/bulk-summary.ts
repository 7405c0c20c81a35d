import type { BulkSummary } from "../../src/feed/render/bulk-summary.ts";

/** A bulk with a failure, all of whose texts are this one. */
export function bulkSummary(said: string, cast: string): BulkSummary {
  return {
    number: 6,
    channels: [{ id: "memes", name: said }],
    kind: "hide",
    selection: said,
    subjectFid: 7,
    reason: said,
    requestedBy: "5",
    targets: 3,
    beganAtMs: 1000,
    endedAtMs: null,
    stoppedBy: null,
    retryAtMs: null,
    undoes: null,
    undoneBy: [],
    isInForce: false,
    counts: [{ kind: "hide", state: "failed", count: 3 }],
    users: [7],
    userCount: 3,
    untilMs: null,
    firstCase: 1,
    lastCase: 3,
    failures: [
      {
        number: 1,
        channelId: "memes",
        fid: 7,
        cast,
        kind: "hide",
        notify: false,
        outcome: "refused",
        outcomeDetail: { code: "network_failed", message: said },
        waitingReason: null,
      },
    ],
    names: new Map([[7, said]]),
  };
}
