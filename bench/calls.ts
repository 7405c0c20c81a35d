/**
 * `npm run bench:calls`: a simulated hour of 100 linked channels, ten of them busy, on the double of the live client API
 * with its 16,450 channels and limits, with and without channel events: calls per route, and the delay of news compared
 * with /status. Then the cost of linking a large channel. `-- --part link` (`events`, `listings`) runs one.
 */
import { parseArgs } from "node:util";
import { backgroundLimitsOf, eventsRoute, limitsOf, usualLimits } from "../src/observe/live/call-limits.ts";
import { delaysOf } from "../src/observe/live/plan-reading.ts";
import { simulateHour, type SimulatedHour, type ToldChange } from "../test/live/simulated-hour.ts";
import { changeKinds } from "../test/live/simulated-changes.ts";
import { prepareTemplate } from "../test/support/database-template.ts";
import { judge, percentile, row, write } from "./figures.ts";
import { linkLargeChannel } from "./large-channel.ts";

const [channels, busyChannels, hour] = [100, 10, 3600];
/** C7: the double's limits on calls to one route in ten seconds and in an hour; higher for the routes with events. */
const network = { burst: 20, hour: 500, events: 1000 };
const goals = { told: 5, linkCalls: 20, inTurn: 1.25 };

function writeRoutes({ routes }: SimulatedHour): void {
  write(row("calls of an hour", "calls", "limit", "in 10 s", "limit", "no channel"));
  for (const { route, calls, worstTenSeconds, withoutChannel } of routes) {
    const { burst, hour: most } = limitsOf(usualLimits, route.replace("GET ", ""));
    write(row(route, ...[calls, most, worstTenSeconds, burst, withoutChannel].map(String)));
  }
}

const classes: [string, (change: ToldChange) => boolean][] = [
  ["bans, invites, hidden, busy", ({ kind, isBusy }) => isBusy && changeKinds[kind].isListed],
  ["bans, invites, hidden, quiet", ({ kind, isBusy }) => !isBusy && changeKinds[kind].isListed],
  ["members and pins, busy", ({ kind, isBusy }) => isBusy && !changeKinds[kind].isListed],
  ["members and pins, quiet", ({ kind, isBusy }) => !isBusy && !changeKinds[kind].isListed],
];

function writeDelays({ told, overtaken }: SimulatedHour): void {
  write(row("from change to room, seconds", "changes", "p50", "p99", "worst", "/status"));
  for (const [name, fits] of classes) {
    const own = told.filter(fits);
    const delays = own.map(({ delay = Infinity }) => delay);
    const shown = [percentile(delays, 50), percentile(delays, 99), Math.max(...delays)];
    const promised = Math.max(...own.map((change) => change.promised));
    write(row(name, String(own.length), ...[...shown, promised].map((value) => value.toFixed(1))));
  }
  if (overtaken > 0) write(`${overtaken} pins were replaced by others before anybody could see them`);
}

/** Returns whether all goals are met. */
function judgeHour(name: string, found: SimulatedHour): boolean {
  const { told, routes, refused, unexplained, failures } = found;
  const late = told.filter(({ delay = Infinity, promised }) => delay > promised).length;
  const share = Math.max(
    ...routes.map(({ route, calls }) => calls / limitsOf(usualLimits, route.replace("GET ", "")).hour),
  );
  const burst = Math.max(...routes.map(({ worstTenSeconds }) => worstTenSeconds));
  for (const line of new Set([...failures, ...unexplained])) write(`  ${line}`);
  return [
    judge(`${name}: calls refused (429)`, refused, { most: 0 }),
    judge(`${name}: of a route's hour`, share, { most: 1 }),
    judge(`${name}: of a route in 10 s`, burst, { most: usualLimits.usual.burst }),
    judge(`${name}: told later than /status says`, late, { most: 0 }),
    judge(`${name}: told of nothing`, unexplained.length, { most: 0 }),
    judge(`${name}: runs that failed`, failures.length, { most: 0 }),
  ].every(Boolean);
}

const usual = {
  limits: usualLimits,
  networkLimits: network,
  channels,
  busyChannels,
  warmUp: 1200,
  seconds: hour,
  changeEvery: { busy: 60, quiet: 2400 },
};

async function runWithEvents(): Promise<boolean> {
  const found = await simulateHour({ ...usual, servesEvents: true, rest: 60 });
  write(
    `\n${channels} channels, ${busyChannels} busy, with channel-events; all read ${found.settled} s after they were linked`,
  );
  writeRoutes(found);
  writeDelays(found);
  const worst = Math.max(...found.told.map(({ delay = Infinity }) => delay));
  return [
    judgeHour("events", found),
    judge("events: seconds until told, worst", worst, { most: goals.told }),
  ].every(Boolean);
}

async function runWithListings(): Promise<boolean> {
  const rest = 4200;
  const found = await simulateHour({ ...usual, servesEvents: false, rest });
  const { changes, busy, quiet } = delaysOf(found.plan);
  write(
    `\n${channels} channels, ${busyChannels} busy, without channel-events; all read ${found.settled} s after they were linked`,
  );
  writeRoutes(found);
  writeDelays(found);
  write(
    `/status at the end: bans, invites and hidden casts within ${Math.ceil(changes)} s, members and pins within ${Math.ceil(busy)} s in ${found.plan.busyChannels} busy channels, ${Math.ceil(quiet)} s in the others`,
  );
  const ofAll = found.routes.filter(({ withoutChannel }) => withoutChannel > 0 && withoutChannel < hour);
  const bans = ofAll.find(({ route }) => route.endsWith("/channel-bans"))?.withoutChannel ?? 0;
  // One call at a time for all channels, however many there are.
  return [
    judgeHour("listings", found),
    judge("listings: readings of all, of those planned", (bans * found.plan.newest) / hour, {
      most: goals.inTurn,
    }),
  ].every(Boolean);
}

async function runLargeChannel(): Promise<boolean> {
  const { calls, seconds, casts, progress } = await linkLargeChannel(5000, [60, 300, 900]);
  write(
    `\na channel of ${casts} casts is linked: ${calls.client} calls to the client API, ${calls.hub} to the hub, in ${seconds} s`,
  );
  for (const { after, past, hubCalls } of progress) {
    const known = past
      ? `replies to ${past.known} of ${past.known + past.left} casts are known`
      : "all replies are known";
    write(`  after ${after} s: ${known}, ${hubCalls} calls to the hub`);
  }
  const [first, last] = [progress[0]?.past?.known ?? 0, progress.at(-1)?.past?.known ?? 0];
  const latest = progress.at(-1);
  const rate = (latest?.hubCalls ?? 0) / (latest?.after ?? 1);
  return [
    judge("calls to link 5,000 casts", calls.client + calls.hub, { most: goals.linkCalls }),
    judge("replies: casts asked about meanwhile", last - first, { least: 1 }),
    judge("replies: calls to the hub a second", rate, { most: 2.1 }),
  ].every(Boolean);
}

await prepareTemplate();
write(
  `limits of the client API that the double keeps: ${network.hour} an hour, ${network.events} of ${eventsRoute}, ${network.burst} in 10 s; own: ${backgroundLimitsOf(usualLimits, "/v1/channel").hour}, ${backgroundLimitsOf(usualLimits, eventsRoute).hour}`,
);
const parts = { link: runLargeChannel, events: runWithEvents, listings: runWithListings };
const { values } = parseArgs({ options: { part: { type: "string" } } });
const met: boolean[] = [];
for (const [name, run] of Object.entries(parts)) {
  if (values.part === undefined || values.part === name) met.push(await run());
}
process.exit(met.every(Boolean) ? 0 : 1);
