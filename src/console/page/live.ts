import { useEffect, useRef, useState } from "preact/hooks";
import type { Desk } from "./ask.ts";

/** Milliseconds. */
const retryAfter = 5_000;

/** Hears when something changed in the server, for as long as the page is open; whether it hears. */
export function useLive(desk: Desk, on: { onChange: () => void; signedOut: () => void }): boolean {
  const [isLive, setLive] = useState(false);
  const latest = useRef(on);
  latest.current = on;
  useEffect(() => {
    let source: EventSource;
    let again: ReturnType<typeof setTimeout> | undefined;
    const listen = () => {
      source = new EventSource(`/console/api${desk.base}/live`);
      source.addEventListener("open", () => {
        setLive(true);
        // What happened before it opened, or while it was lost, was not told.
        latest.current.onChange();
      });
      source.addEventListener("error", () => {
        setLive(false);
        // Browsers come back to a connection that broke, and never to one that was refused, as while Castellan starts anew.
        if (source.readyState === EventSource.CLOSED) again = setTimeout(listen, retryAfter);
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
    };
    listen();
    return () => {
      clearTimeout(again);
      source.close();
    };
  }, [desk]);
  return isLive;
}
