import { useEffect, useRef, useState } from "preact/hooks";

/**
 * What the server answers at this path, asked anew when `version` changes: then the answer from before stays until the new
 * one is there, so that nothing jumps.
 */
export function useAnswer(desk, path, version) {
  const [state, setState] = useState({});
  const latest = useRef(0);
  const key = `${desk.base}${path}`;
  useEffect(() => {
    const number = (latest.current += 1);
    const settle = (next) => latest.current === number && setState({ key, ...next });
    desk.read(path).then(
      (answer) => settle({ answer }),
      (problem) => settle({ problem }),
    );
  }, [key, version]);
  return state.key === key ? state : { waits: true };
}
