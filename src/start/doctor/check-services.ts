import type { Config } from "../../config.ts";
import { asAppError } from "../../errors.ts";
import { ok, unknown, wrong, type Finding } from "./finding.ts";
import { readField, readList, type Probe, type ProbeAnswer } from "./probe.ts";

/** The fix for a service that returns no JSON, or does not answer. */
const checkAddress = (setting: string) =>
  `Check ${setting}, and whether this machine's firewall or proxy allows it.`;

/** The client API, which knows channels and performs moderators' actions. */
export async function checkClientApi(
  { CLIENT_API_URL }: Pick<Config, "CLIENT_API_URL">,
  probe: Probe,
): Promise<Finding> {
  const part = `Client API ${hostOf(CLIENT_API_URL)}`;
  return checkService(part, "CLIENT_API_URL", async () => {
    // A route that commands hardly use, because it allows few calls in ten seconds and each process calls it at its start.
    const answer = await probe.ask(`${trim(CLIENT_API_URL)}/v1/user-channel?fid=1&channelId=farcaster`);
    // A network without that channel answers in the same way.
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
    // For a fid without a name the registry returns its own kind of error.
    const isOurs =
      knows !== undefined || (answer.status < 500 && readField(answer.json, "error") !== undefined);
    return judge(part, "REGISTRY_URL", answer, isOurs);
  });
}

/** Any error while checking a service becomes a finding. */
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
  if (status === 429) return unknown(part, `allows no more calls now (429).`, "Try again in a minute.");
  if (status >= 500)
    return wrong(part, `answers ${status}: ${words}.`, "Wait. If it persists, contact its operator.");
  if (json === undefined) {
    return wrong(part, `answers ${status} with ${words} instead of JSON.`, checkAddress(setting));
  }
  if (status === 401 || status === 403) {
    return wrong(part, `refuses access (${status}): ${words}.`, checkAddress(setting));
  }
  if (!isOurs) {
    return wrong(
      part,
      `answers ${status}, but not like this kind of service: ${words}.`,
      `${setting} is the address of another service. ${checkAddress(setting)}`,
    );
  }
  return ok(part, `answers in ${took} ms`);
}

/** The fid's name at the registry; undefined if it has none, or the registry does not answer. */
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
