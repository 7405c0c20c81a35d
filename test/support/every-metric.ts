import { silentLog } from "../../src/log.ts";
import { createMetrics } from "../../src/metrics/metrics.ts";
import { report, type Reports } from "../../src/telemetry.ts";
import { sampled, type Sample, type SampleName } from "../../src/metrics/samples.ts";

export interface DescribedMetric {
  name: string;
  type: string;
  help: string;
}

const seconds = 0.1;
const reports: Reports = {
  "castellan:interaction.acknowledged": { command: "ban", seconds },
  "castellan:interaction.answered": { command: "ban", result: "ok", seconds },
  "castellan:http.answered": { server: "network", method: "GET", route: "/signer", code: 200, seconds },
  "castellan:network.called": { upstream: "client", route: "/v1/channel", result: "ok", seconds },
  "castellan:discord.called": { route: "POST /channels/:id/messages", code: "200", seconds },
  "castellan:job.ended": { worker: "poll-hub", result: "done", seconds },
  "castellan:rules.ran": { task: "consider", result: "done", seconds },
  "castellan:case.settled": { kind: "ban", state: "applied", outcome: "done" },
  "castellan:feed.posted": { result: "sent" },
  "castellan:outbox.settled": { kind: "edit", result: "sent" },
};

/** A scrape with a value of everything, and all metrics with their texts. */
export async function scrapeEverything(): Promise<{ text: string; metrics: DescribedMetric[] }> {
  const metrics = createMetrics({ role: "start", version: "1.2.3" }, silentLog);
  metrics.addCollector("installation", () =>
    Object.keys(sampled).map((name) => sampleOf(name as SampleName)),
  );
  for (const [name, reported] of Object.entries(reports)) report(name as keyof Reports, reported);
  const text = await metrics.scrape();
  await metrics.close();
  const types = new Map(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = "", type = ""]) => [name, type]),
  );
  const described = [...text.matchAll(/^# HELP (\S+) (.*)$/gm)].map(([, name = "", help = ""]) => ({
    name,
    help,
    type: types.get(name) ?? "",
  }));
  return { text, metrics: described };
}

function sampleOf(name: SampleName): Sample {
  return [name, 1, Object.fromEntries(sampled[name].labels.map((label) => [label, "a"]))];
}
