import type { Reports } from "../telemetry.ts";

export type Fields = Readonly<Record<string, string | number>>;

export interface ReportRule<Report = Fields> {
  /** A span of its own (a call to another service, or work), the end of the current span, or an event in it. */
  as: "call" | "work" | "end" | "event";
  /** If it is not the name with which the span began. */
  name?: (reported: Report) => string;
  isFailed?: (reported: Report) => boolean;
}

/** What the reports are in a trace. All their fields become attributes. */
const rules: { [Name in keyof Reports]: ReportRule<Reports[Name]> } = {
  "castellan:interaction.acknowledged": { as: "event" },
  "castellan:interaction.answered": {
    as: "end",
    isFailed: ({ result }) => result === "failed" || result === "unacknowledged",
  },
  "castellan:http.answered": {
    as: "end",
    name: ({ method, route }) => `${method} ${route}`,
    isFailed: ({ code }) => code >= 500,
  },
  "castellan:network.called": {
    as: "call",
    name: ({ route }) => `network ${route}`,
    isFailed: ({ result }) => result !== "ok",
  },
  "castellan:discord.called": {
    as: "call",
    name: ({ route }) => `Discord ${route}`,
    isFailed: ({ code }) => !code.startsWith("2"),
  },
  "castellan:job.ended": { as: "end", isFailed: ({ result }) => result === "failed" },
  "castellan:rules.ran": {
    as: "work",
    name: ({ task }) => `rules ${task}`,
    isFailed: ({ result }) => result === "failed",
  },
  "castellan:case.settled": { as: "event" },
  "castellan:feed.posted": { as: "event" },
  "castellan:outbox.settled": { as: "event" },
};

/** Each is only for its own report. */
export const reportRules = Object.entries(rules) as [keyof Reports, ReportRule][];
