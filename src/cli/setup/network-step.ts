import { parseConfig, type Config } from "../../config.ts";
import { AppError } from "../../errors.ts";
import { checkHubs } from "../../start/doctor/check-hubs.ts";
import { checkClientApi, checkRegistry, readOwnName } from "../../start/doctor/check-services.ts";
import type { Finding } from "../../start/doctor/finding.ts";
import { createProbe } from "../../start/doctor/probe.ts";
import type { Answers } from "./answers.ts";

const explainNetwork = `NETWORK
live: Farcaster. sample: an embedded network with people who act, to try things. empty: an embedded network without people.`;
const explainServices = `SERVICES
Castellan acts through the client API, gets names from the registry, and reads casts from a hub (a Snapchain node: your own,
or a hosted one with an address and a key).`;

type LiveAnswers = Record<"CLIENT_API_URL" | "REGISTRY_URL" | "HUB_URL" | "BOT_FID", string>;

export async function answerNetwork(answers: Answers): Promise<Config["NETWORK"]> {
  const network = await answers.text({
    name: "NETWORK",
    option: "network",
    question: "Network (live, sample or empty)",
    explain: explainNetwork,
    // A script must name the network.
    fallback: answers.terminal && "live",
  });
  // The setting's check allows no other values.
  return network as Config["NETWORK"];
}

/**
 * Asks for the services of the live network, and checks each. Also returns the bot's name, if it has one. `hubSeconds`
 * is the hub's polling interval, if set. Throws `invalid_configuration` if a service cannot be used.
 */
export async function answerServices(
  answers: Answers,
  hubSeconds: string | undefined,
): Promise<{ settings: LiveAnswers & { HUB_SECONDS: string }; name: string | undefined }> {
  const base = parseConfig({});
  const probe = createProbe();
  const CLIENT_API_URL = await answers.text({
    name: "CLIENT_API_URL",
    option: "client-api-url",
    question: "Client API",
    explain: explainServices,
    fallback: base.CLIENT_API_URL,
    check: async (url) => wrongOf(await checkClientApi({ CLIENT_API_URL: url }, probe)),
  });
  const REGISTRY_URL = await answers.text({
    name: "REGISTRY_URL",
    option: "registry-url",
    question: "Name registry",
    fallback: base.REGISTRY_URL,
    check: async (url) => wrongOf(await checkRegistry({ ...base, REGISTRY_URL: url }, probe)),
  });
  const BOT_FID = await answers.text({
    name: "BOT_FID",
    option: "bot-fid",
    question: "Fid of the bot's account",
    explain: `ACCOUNT
The bot needs its own Farcaster account. Create it in the official Farcaster app, and keep it signed in on a phone, because its
key is approved there. Registration may cost money, and is not available in every country. Give the account a name, because channel
owners find it by name. Its profile shows its fid (About).`,
  });
  const name = await readOwnName({ REGISTRY_URL, BOT_FID: Number(BOT_FID) }, probe);
  answers.say(
    name === undefined
      ? `  The registry has no name for fid ${BOT_FID}. Give the account a name in the app, because channel owners find it by name.`
      : `  Fid ${BOT_FID} is ${name}. Channel owners find it by that name.`,
  );
  const HUB_URL = await answerHub(answers, async (text) => {
    const config = parseConfig({ CLIENT_API_URL, REGISTRY_URL, BOT_FID, HUB_URL: text });
    const findings = await checkHubs(config, probe);
    for (const { part, message, state } of findings)
      if (state !== "wrong") answers.say(`  ${part}: ${message}`);
    return findings.map(wrongOf).find((mistake) => mistake !== undefined);
  });
  const HUB_SECONDS = proposePace(answers, HUB_URL, hubSeconds);
  return { settings: { CLIENT_API_URL, REGISTRY_URL, BOT_FID, HUB_URL, HUB_SECONDS }, name };
}

/** Seconds between two polls of a hub with a key, which charges per call. */
const hostedPace = "5";
/** The main network's shards; each poll makes one call per shard. */
const usualShards = 2;

function proposePace(answers: Answers, HUB_URL: string, set: string | undefined): string {
  const { HUB_SECONDS: usual, HUB_URL: hubs = [] } = parseConfig({ HUB_URL });
  const isPaid = hubs.some(({ headers }) => Object.keys(headers).length > 0);
  const every = set ?? (isPaid ? hostedPace : String(usual));
  const calls = ((usualShards * 86_400) / Number(every)).toLocaleString("en-US", {
    maximumFractionDigits: 0,
  });
  const paid = isPaid ? " Hosts count calls, so check your plan's limit." : "";
  answers.say(
    `  Castellan polls the hub every ${every} s (HUB_SECONDS), about ${calls} calls a day with two shards.${paid}`,
  );
  return every;
}

/** The hub's key is a secret, so it can be typed separately, hidden. */
async function answerHub(
  answers: Answers,
  check: (text: string) => Promise<string | undefined>,
): Promise<string> {
  let complete = "";
  const address = await answers.text({
    name: "HUB_URL",
    option: "hub-url",
    question: "Hub",
    mask: (text) => text.replaceAll(/=\S+/g, "=…"),
    check: async (text) => {
      complete = text;
      const isNew = answers.terminal !== undefined && !/[\s,]/.test(text);
      const header = isNew
        ? await answers.terminal?.ask("Its API key, as header=value (hidden; Enter: none): ", true)
        : undefined;
      if (header) complete = `${text} ${header}`;
      return check(complete);
    },
  });
  return complete || address;
}

function wrongOf({ part, state, message, fix }: Finding): string | undefined {
  return state === "wrong" ? `cannot be used. ${part}: ${message} ${fix ?? ""}`.trimEnd() : undefined;
}

/** Refuses earlier settings that would not start. Throws `invalid_configuration`. */
export function requireWhole(settings: Readonly<Record<string, string | undefined>>): Config {
  try {
    return parseConfig(settings);
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    throw new AppError("invalid_configuration", "These settings cannot be used together:", {
      cause,
      mistakes: [...cause.mistakes],
    });
  }
}
