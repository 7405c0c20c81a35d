import { useEffect, useState } from "preact/hooks";

const moved = new EventTarget();

/** The present place: the parts of the path below /console, and the query. */
export interface Place {
  server: string | undefined;
  section: string | undefined;
  rest: string[];
  query: Readonly<Record<string, string>>;
  path: string;
}

function here(): Place {
  const { pathname, search } = window.location;
  const [server, section, ...rest] = pathname.split("/").slice(2).filter(Boolean).map(decodeURIComponent);
  return {
    server,
    section,
    rest,
    query: Object.fromEntries(new URLSearchParams(search)),
    path: pathname + search,
  };
}

export function useHere(): Place {
  const [place, setPlace] = useState(here);
  useEffect(() => {
    const look = () => setPlace(here());
    moved.addEventListener("moved", look);
    window.addEventListener("popstate", look);
    document.addEventListener("click", followInside);
    return () => {
      moved.removeEventListener("moved", look);
      window.removeEventListener("popstate", look);
      document.removeEventListener("click", followInside);
    };
  }, []);
  return place;
}

export function goTo(path: string): void {
  window.history.pushState(null, "", path);
  moved.dispatchEvent(new Event("moved"));
  window.scrollTo(0, 0);
}

/** Links within the console change the view without reloading the page. */
function followInside(event: MouseEvent): void {
  const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>("a[href]");
  if (
    !link ||
    event.defaultPrevented ||
    event.button !== 0 ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey
  )
    return;
  const { origin, pathname, search } = new URL(link.href);
  const isPage = origin === window.location.origin && /^\/console(\/\d+(\/|$)|$)/.test(pathname);
  if (!isPage || link.target) return;
  event.preventDefault();
  goTo(pathname + search);
}

export type Query = Readonly<Record<string, string | number | undefined>>;

/** A path with its query; empty values are omitted. */
export function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).map(([name, value = ""]) => [name, String(value)]);
  const search = new URLSearchParams(given.filter(([, value]) => value?.trim() !== "")).toString();
  return search === "" ? path : `${path}?${search}`;
}
