import { useEffect, useRef, useState } from "preact/hooks";
import type { Desk } from "./ask.ts";

/** Milliseconds. */
const retryAfter = 5_000;

/** Subscribes to changes of the server while the page is open. Returns whether it is connected. */
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
        // Changes from before the connection, or during a break, were not reported.
        latest.current.onChange();
      });
      source.addEventListener("error", () => {
        setLive(false);
        // Browsers reconnect after a break, but not after a refusal, for example while Castellan restarts.
        if (source.readyState === EventSource.CLOSED) again = setTimeout(listen, retryAfter);
      });
      source.addEventListener("changed", () => latest.current.onChange());
      // A person who lost access sees the reason in the page's content.
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
