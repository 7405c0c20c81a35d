import { useEffect, useState } from "preact/hooks";

/** Follows a version that may change often, but only once in this many milliseconds. The latest one is never missed. */
export function useThrottled(ms: number, version: number): number {
  const [followed, setFollowed] = useState(() => ({ version, atMs: performance.now() }));
  useEffect(() => {
    if (version === followed.version) return undefined;
    const waitMs = Math.max(0, followed.atMs + ms - performance.now());
    const timer = setTimeout(() => setFollowed({ version, atMs: performance.now() }), waitMs);
    return () => clearTimeout(timer);
  }, [version, followed]);
  return followed.version;
}
