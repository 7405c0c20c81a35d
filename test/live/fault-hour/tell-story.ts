import type { Scene } from "./open-scene.ts";
import type { HubTruth } from "./traffic.ts";

/** What happened to whom or what a line is about, and what was told of it, in order: for whoever looks for the cause. */
export async function tellStory(scene: Scene, line: string, merged: readonly HubTruth[]): Promise<string[]> {
  const subject = /0x[0-9a-f]{40}|\b5\d{3}\b|name-\d+/.exec(line)?.[0];
  if (subject === undefined) return [];
  const { query } = scene.observer.context.database;
  const begun = scene.begun / 1000;
  const told = await query
    .selectFrom("castellan.events")
    .select([
      "kind",
      "subject_fid",
      "cast_hash",
      "occurred_at",
      "observed_at_ms",
      "source_key",
      "case_id",
      "data",
    ])
    .orderBy("id")
    .execute();
  const entries = [
    ...scene.client.channels.events
      .filter((event) => [event["fid"], event["castHash"]].map(String).includes(subject))
      .map((event) => ({ at: Number(event["ts"]) / 1000, text: `happened: ${JSON.stringify(event)}` })),
    ...merged
      .filter(({ key }) => key.includes(subject))
      .map(({ at, key, places }) => ({ at, text: `merged: ${key} ${JSON.stringify(places)}` })),
    ...scene.client.writes
      .filter(({ body }) => Object.values(body).map(String).includes(subject))
      .map((write) => ({
        at: write.at / 1000,
        text: `asked: ${write.route} ${JSON.stringify(write.body)} ${write.status}, changed ${write.changed}`,
      })),
    ...told
      .filter(
        (row) =>
          String(row.subject_fid) === subject ||
          row.cast_hash === subject ||
          JSON.stringify(row.data).includes(`"${subject}"`),
      )
      .map((row) => ({
        at: row.observed_at_ms / 1000,
        text: `told: ${row.kind} of ${row.occurred_at - begun} s, ${row.source_key}, case ${row.case_id}`,
      })),
  ];
  return entries
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, text }) => `${String(Math.round(at - begun)).padStart(9)} s  ${text}`);
}
