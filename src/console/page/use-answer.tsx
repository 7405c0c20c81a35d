import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Refused } from "../../web/kit/request.ts";
import type { Desk, DeskAnswers } from "./ask.ts";
import { withQuery, type Query } from "./location.ts";
import { Problem, Waiting } from "./parts.tsx";

/**
 * The server's answer at this path, requested again when `version` changes. The previous answer stays until the new
 * one has arrived, so that nothing jumps. Without an answer, `instead` is shown: that it is loading, or the error.
 */
export function useAnswer<P extends keyof DeskAnswers>(
  desk: Desk,
  path: P,
  query: Query,
  version: number,
): { answer?: DeskAnswers[P]; instead?: JSX.Element; problem?: Refused } {
  const [state, setState] = useState<{ key: string; answer?: DeskAnswers[P]; problem?: Refused }>();
  const key = withQuery(`${desk.base}${path}`, query);
  useEffect(() => {
    let isOver = false;
    desk.read(path, query).then(
      (answer) => isOver || setState({ key, answer }),
      (problem: Refused) => isOver || setState({ key, problem }),
    );
    return () => void (isOver = true);
  }, [key, version]);
  if (state?.key !== key) return { instead: <Waiting /> };
  if (state.problem) return { instead: <Problem problem={state.problem} />, problem: state.problem };
  return state;
}
