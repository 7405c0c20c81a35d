import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { withTimeout } from "../async.ts";
import type { Log } from "../log.ts";
import type { Reports } from "../telemetry.ts";
import { sampled, type Sample } from "./samples.ts";

/** The metrics of one process. */
export interface Metrics {
  /** Adds a collector that is read at each scrape. A late one is omitted, and not read again until it is done. */
  addCollector(collector: string, read: () => Sample[] | Promise<Sample[]>): void;
  /** All metrics in Prometheus's format. Takes at most three seconds. */
  scrape(): Promise<string>;
  contentType: string;
  close(): Promise<void>;
}

/** Milliseconds that a collector may take, and for which a scrape is cached. */
const timeoutMs = 2_500;
const freshMs = 2_000;
/** Milliseconds between samples of the event loop, included in its lags. The usual 10 would cost 1 % of a core. */
const eventLoopPauseMs = 50;

export function createMetrics(build: { role: string; version: string }, log: Log): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: eventLoopPauseMs });
  const stopListening = listenToReports(registry);
  const collectors = new Map<string, () => Promise<Sample[] | undefined>>();
  let latest: { at: number; text: Promise<string> } | undefined;

  async function collect(): Promise<string> {
    const groups = await Promise.all(
      [...collectors].map(async ([collector, read]): Promise<Sample[]> => {
        const samples = await read();
        const isOk = samples ? 1 : 0;
        return [
          ["castellan_collector_ok", isOk, { collector }],
          ...(collector === "installation" ? [["castellan_database_up", isOk] satisfies Sample] : []),
          ...(samples ?? []),
        ];
      }),
    );
    const samples: Sample[] = [["castellan_build_info", 1, build], ...groups.flat()];
    return `${await registry.metrics()}\n${await renderSamples(samples)}`;
  }

  return {
    contentType: registry.contentType,
    addCollector(collector, read) {
      let running: Promise<Sample[] | undefined> | undefined;
      collectors.set(collector, () => {
        running ??= Promise.resolve()
          .then(read)
          .catch((err: unknown) => {
            log.debug({ err, collector }, "metrics could not be read");
            return undefined;
          })
          .finally(() => (running = undefined));
        return withTimeout(running, timeoutMs, () => undefined);
      });
    },
    scrape() {
      const now = performance.now();
      if (!latest || now - latest.at > freshMs) latest = { at: now, text: collect() };
      return latest.text;
    },
    close: async () => stopListening(),
  };
}

/** Samples in Prometheus's format. */
function renderSamples(samples: readonly Sample[]): Promise<string> {
  const registry = new Registry();
  for (const name of new Set(samples.map(([name]) => name))) {
    const { help, labels } = sampled[name];
    const gauge = new Gauge({ name, help, labelNames: labels, registers: [registry] });
    for (const [of, value, given = {}] of samples) if (of === name) gauge.set(given, value);
  }
  return registry.metrics();
}

/** Counts reports; returns a function that stops it. */
function listenToReports(registry: Registry): () => void {
  const ends: (() => void)[] = [];
  const registers = [registry];
  const listen = <Name extends keyof Reports>(name: Name, onReport: (reported: Reports[Name]) => void) => {
    const listener = (reported: unknown) => onReport(reported as Reports[Name]); // as `report` publishes it
    subscribe(name, listener);
    ends.push(() => unsubscribe(name, listener));
  };
  /** A report with its duration. */
  const time = <Name extends TimedReport>(
    channel: Name,
    metric: { name: string; help: string; labelNames: Exclude<keyof Reports[Name], "seconds">[] },
    buckets: number[],
  ) => {
    const histogram = new Histogram<string>({
      ...metric,
      labelNames: metric.labelNames.map(String),
      buckets,
      registers,
    });
    listen(channel, ({ seconds, ...labels }) => histogram.observe({ ...labels } as Labels, seconds));
  };
  const count = <Name extends keyof Reports>(
    channel: Name,
    metric: { name: string; help: string; labelNames: (keyof Reports[Name])[] },
  ) => {
    const counter = new Counter<string>({ ...metric, labelNames: metric.labelNames.map(String), registers });
    listen(channel, (reported) => counter.inc({ ...reported }));
  };

  time(
    "castellan:interaction.acknowledged",
    {
      name: "castellan_command_acknowledgement_seconds",
      help: "Time until Discord had our first response to a command, which it awaits for three seconds.",
      labelNames: ["command"],
    },
    [0.05, 0.1, 0.25, 0.5, 1, 2, 3],
  );
  time(
    "castellan:interaction.answered",
    {
      name: "castellan_command_duration_seconds",
      help: "Time until a command was complete, by result.",
      labelNames: ["command", "result"],
    },
    [0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60],
  );
  time(
    "castellan:http.answered",
    {
      name: "castellan_http_request_duration_seconds",
      help: "Requests answered by the network's interface and by the console.",
      labelNames: ["server", "method", "route", "code"],
    },
    [0.005, 0.025, 0.1, 0.5, 2.5],
  );
  time(
    "castellan:network.called",
    {
      name: "castellan_upstream_call_duration_seconds",
      help: "Attempts of calls to the client API, the registry and the hubs.",
      labelNames: ["upstream", "route", "result"],
    },
    [0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  );
  time(
    "castellan:discord.called",
    {
      name: "castellan_discord_request_duration_seconds",
      help: "Requests to Discord's REST API, by status.",
      labelNames: ["route", "code"],
    },
    [0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  );
  time(
    "castellan:job.ended",
    {
      name: "castellan_job_duration_seconds",
      help: "Runs of background workers.",
      labelNames: ["worker", "result"],
    },
    [0.01, 0.05, 0.25, 1, 5, 30],
  );
  time(
    "castellan:rules.ran",
    {
      name: "castellan_rule_task_duration_seconds",
      help: "Tasks in the threads that run rules, including the wait for a thread.",
      labelNames: ["task", "result"],
    },
    [0.005, 0.025, 0.1, 0.5, 2, 20],
  );
  count("castellan:case.settled", {
    name: "castellan_cases_settled_total",
    help: "Actions on the network that this process settled, by outcome.",
    labelNames: ["kind", "state", "outcome"],
  });
  count("castellan:feed.posted", {
    name: "castellan_feed_posts_total",
    help: "Attempts to post a feed's message, by result.",
    labelNames: ["result"],
  });
  count("castellan:outbox.settled", {
    name: "castellan_outbox_settled_total",
    help: "Edits, notices, answers and calls: sent, dropped or given up.",
    labelNames: ["kind", "result"],
  });
  return () => {
    for (const end of ends) end();
  };
}

type Labels = Record<string, string | number>;
type TimedReport = {
  [Name in keyof Reports]: Reports[Name] extends { seconds: number } ? Name : never;
}[keyof Reports];
