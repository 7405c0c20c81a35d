/** One line of `castellan doctor`. */
export interface Finding {
  /** The checked part, such as "Hub https://hub.example". */
  part: string;
  /** unknown: it could not be checked, or the answer is unknown. */
  state: "ok" | "wrong" | "unknown";
  message: string;
  /** How to fix it. */
  fix?: string;
}

export function ok(part: string, message: string): Finding {
  return { part, state: "ok", message };
}

export function wrong(part: string, message: string, fix: string): Finding {
  return { part, state: "wrong", message, fix };
}

export function unknown(part: string, message: string, fix?: string): Finding {
  return { part, state: "unknown", message, ...(fix !== undefined && { fix }) };
}

/** The labels of the states, all equally wide. */
const shown = { ok: "ok     ", wrong: "WRONG  ", unknown: "?      " } as const;

/** The findings for a terminal, each problem followed by its fix. */
export function describeFindings(findings: readonly Finding[]): string {
  const width = Math.min(30, Math.max(0, ...findings.map(({ part }) => part.length)));
  const lines = findings.flatMap(({ part, state, message, fix }) => [
    `${shown[state]}${part.padEnd(width)}  ${message}`,
    ...(fix === undefined ? [] : [`       ${" ".repeat(width)}  -> ${fix}`]),
  ]);
  return `${[...lines, "", summarize(findings)].join("\n")}\n`;
}

function summarize(findings: readonly Finding[]): string {
  const [bad, open] = (["wrong", "unknown"] as const).map(
    (state) => findings.filter((finding) => finding.state === state).length,
  );
  const rest = open === 0 ? "" : `; ${open} unknown`;
  return bad === 0 ? `No problems found${rest}.` : `${bad} of ${findings.length} wrong${rest}.`;
}
