/** A stored request; times in UNIX seconds. */
export interface StoredKeyRequest {
  /** Chosen by the application, up to 2^53 - 1. */
  deadline: number;
  created_at: number;
  answer: "approve" | "refuse" | null;
  /** For an approved request: when its key becomes valid. */
  completed_at: number | null;
}

export type KeyRequestState = "pending" | "expired" | "refused" | "approved" | "completed";

/** Maximum seconds that a request stays open, because an application may name a deadline that never comes. */
export const longestWait = 30 * 24 * 3600;

/** When an unanswered request expires, UNIX seconds. */
export function endOf({ deadline, created_at: createdAt }: StoredKeyRequest): number {
  return Math.min(deadline, createdAt + longestWait);
}

/** interface.md, "Signed key request". Only unanswered requests expire. */
export function stateOf(request: StoredKeyRequest, now: number): KeyRequestState {
  const { answer, completed_at: completedAt } = request;
  if (answer === "refuse") return "refused";
  if (answer === null) return now < endOf(request) ? "pending" : "expired";
  return completedAt !== null && now >= completedAt ? "completed" : "approved";
}
