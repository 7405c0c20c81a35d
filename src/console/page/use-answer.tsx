import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
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
  const latest = useRef(0);
  const key = withQuery(`${desk.base}${path}`, query);
  useEffect(() => {
    const number = (latest.current += 1);
    const isLatest = () => latest.current === number;
    desk.read(path, query).then(
      (answer) => isLatest() && setState({ key, answer }),
      (problem: Refused) => isLatest() && setState({ key, problem }),
    );
  }, [key, version]);
  if (state?.key !== key) return { instead: <Waiting /> };
  if (state.problem) return { instead: <Problem problem={state.problem} />, problem: state.problem };
  return state;
}
