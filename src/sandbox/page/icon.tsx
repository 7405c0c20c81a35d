const paths = {
  lock: "M4 7V5a4 4 0 0 1 8 0v2h1v8H3V7zm2 0h4V5a2 2 0 0 0-4 0z",
  eye: "M8 3c4 0 7 5 7 5s-3 5-7 5-7-5-7-5 3-5 7-5zm0 2.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
  file: "M3 1h6l4 4v10H3zm5 1.5V6h3.5z",
  picture: "M1 2h14v12H1zm2 10h10L9.5 6.5 7 10 5.5 8.5zM4.5 4a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3z",
  tick: "M6 13.5 1 8.5l1.800-1.800L6 9.900l7.200-7.200L15 4.5z",
} as const;

/** Drawn here, because a machine may have no font with such signs. Without a `title` it is decoration. */
export function Icon({ sign, title }: { sign: keyof typeof paths; title?: string }) {
  const named = title === undefined ? { "aria-hidden": true } : { role: "img" as const, "aria-label": title };
  return (
    <svg class="icon" viewBox="0 0 16 16" {...named}>
      <path d={paths[sign]} fill-rule="evenodd" />
    </svg>
  );
}
