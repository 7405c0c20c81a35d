/** A request as it is stored; times in UNIX seconds. */
// @ts-nocheck

export interface StoredKeyRequest {
  deadline: number;
  answer: "approve" | "refuse" | null;
  /** Of an approved request: when its key begins to count. */
  completed_at: number | null;
}

export type KeyRequestState = "pending" | "expired" | "refused" | "approved" | "completed";

/** interface.md, "Signed key request". Only an unanswered request expires. */
export function stateOf(
  { deadline, answer, completed_at: completedAt }: StoredKeyRequest,
  now: number,
): KeyRequestState {
  if (answer === "refuse") return "refused";
  if (answer === null) return now < deadline ? "pending" : "expired";
  return completedAt !== null && now >= completedAt ? "completed" : "approved";
}
