import type { Config } from "../../config.ts";
import { asAppError } from "../../errors.ts";
import { ok, unknown, wrong, type Finding } from "./finding.ts";
import { readField, readList, type Probe, type ProbeAnswer } from "./probe.ts";

/** What to do about a service that gives no JSON, or none at all. */
const checkAddress = (setting: string) =>
  `Check ${setting}, and whether this machine's firewall or proxy lets it through.`;

/** The client API, which knows channels and does what moderators ask for. */
export async function checkClientApi(
  { CLIENT_API_URL }: Pick<Config, "CLIENT_API_URL">,
  probe: Probe,
): Promise<Finding> {
  const part = `Client API ${hostOf(CLIENT_API_URL)}`;
  return checkService(part, "CLIENT_API_URL", async () => {
    // A route that commands hardly use: it allows so many calls in ten seconds, and each process looks as it starts.
    const answer = await probe.ask(`${trim(CLIENT_API_URL)}/v1/user-channel?fid=1&channelId=farcaster`);
    // A network without that channel says so in the same manner.
    const isOurs =
      readField(answer.json, "result") !== undefined || readField(answer.json, "errors") !== undefined;
    return judge(part, "CLIENT_API_URL", answer, isOurs);
  });
}

/** The name registry. */
export async function checkRegistry(
  { REGISTRY_URL, BOT_FID }: Pick<Config, "REGISTRY_URL" | "BOT_FID">,
  probe: Probe,
): Promise<Finding> {
  const part = `Registry ${hostOf(REGISTRY_URL)}`;
  return checkService(part, "REGISTRY_URL", async () => {
    const answer = await probe.ask(`${trim(REGISTRY_URL)}/transfers/current?fid=${BOT_FID}`);
    const knows = readField(answer.json, "transfer") ?? readField(answer.json, "transfers");
    // A fid without a name is refused in the registry's own manner.
    const isOurs =
      knows !== undefined || (answer.status < 500 && readField(answer.json, "error") !== undefined);
    return judge(part, "REGISTRY_URL", answer, isOurs);
  });
}

/** Whatever a look at a service throws is a finding. */
export async function checkService(
  part: string,
  setting: string,
  look: () => Promise<Finding>,
): Promise<Finding> {
  try {
    return await look();
  } catch (error) {
    const known = asAppError(error, "network_unreachable");
    if (!known) throw error;
    return wrong(part, `${known.message}.`, checkAddress(setting));
  }
}

function judge(part: string, setting: string, answer: ProbeAnswer, isOurs: boolean): Finding {
  const { status, json, words, took } = answer;
  if (status === 429) return unknown(part, `allows no more calls just now (429).`, "Try again in a minute.");
  if (status >= 500)
    return wrong(part, `answers ${status}: ${words}.`, "Wait. If it persists, contact whoever runs it.");
  if (json === undefined) {
    return wrong(part, `answers ${status} with ${words} instead of JSON.`, checkAddress(setting));
  }
  if (status === 401 || status === 403) {
    return wrong(part, `lets nobody in (${status}): ${words}.`, checkAddress(setting));
  }
  if (!isOurs) {
    return wrong(
      part,
      `answers ${status}, but not as such a service does: ${words}.`,
      `${setting} is another service's address. ${checkAddress(setting)}`,
    );
  }
  return ok(part, `answers in ${took} ms`);
}

/** The name that the registry gave to a fid; undefined where it has none, or does not answer. */
export async function readOwnName(
  { REGISTRY_URL, BOT_FID }: Pick<Config, "REGISTRY_URL" | "BOT_FID">,
  probe: Probe,
): Promise<string | undefined> {
  try {
    const { json } = await probe.ask(`${trim(REGISTRY_URL)}/transfers/current?fid=${BOT_FID}`);
    const transfer = readField(json, "transfer") ?? readList(json, "transfers").at(-1);
    const name = readField(transfer, "username");
    return typeof name === "string" && readField(transfer, "to") === BOT_FID ? name : undefined;
  } catch (error) {
    if (!asAppError(error, "network_unreachable")) throw error;
    return undefined;
  }
}

export function trim(address: string): string {
  return address.replace(/\/+$/, "");
}

export function hostOf(address: string): string {
  return new URL(address).host;
}
