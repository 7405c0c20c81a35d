import { useEffect, useRef, useState } from "preact/hooks";

/** Hears when something changed in the server, for as long as the page is open; whether it hears. */
export function useLive(desk, { onChange, signedOut }) {
  const [isLive, setLive] = useState(false);
  const latest = useRef();
  latest.current = { onChange, signedOut };
  useEffect(() => {
    const source = new EventSource(`/console/api${desk.base}/live`);
    source.addEventListener("open", () => {
      setLive(true);
      // What happened before it opened, or while it was lost, was not told.
      latest.current.onChange();
    });
    source.addEventListener("error", () => {
      setLive(false);
    });
    source.addEventListener("changed", () => latest.current.onChange());
    // Who may not look any more is told so where they look.
    source.addEventListener("refused", () => {
      source.close();
      setLive(false);
      latest.current.onChange();
    });
    source.addEventListener("signed-out", () => {
      source.close();
      latest.current.signedOut();
    });
    return () => source.close();
  }, [desk]);
  return isLive;
}
