import { parseConfig, type Config } from "../../config.ts";
import { AppError } from "../../errors.ts";
import { checkHubs } from "../../start/doctor/check-hubs.ts";
import { checkClientApi, checkRegistry, readOwnName } from "../../start/doctor/check-services.ts";
import type { Finding } from "../../start/doctor/finding.ts";
import { createProbe } from "../../start/doctor/probe.ts";
import type { Answers } from "./answers.ts";

const explainNetwork = `NETWORK
live: Farcaster. sample: an embedded network that lives, to try things on. empty: an embedded network of your own.`;
const explainServices = `SERVICES
Castellan acts through the client API, takes names from the registry, and hears of casts from a hub (a Snapchain node: your
own, or one of a host that gives you an address and a key).`;

type LiveAnswers = Record<"CLIENT_API_URL" | "REGISTRY_URL" | "HUB_URL" | "BOT_FID", string>;

export async function answerNetwork(answers: Answers): Promise<Config["NETWORK"]> {
  const network = await answers.text({
    name: "NETWORK",
    option: "network",
    question: "Network (live, sample or empty)",
    explain: explainNetwork,
    // A script says what it wants.
    fallback: answers.terminal && "live",
  });
  // It has passed the check of the setting, which takes no others.
  return network as Config["NETWORK"];
}

/**
 * Asks where the services of the live network are, and tries each. Gives the name of the bot as well, where it has one. `hubSeconds`
 * is how often the hub is asked, where that is set. Throws `invalid_configuration` where a service cannot be used.
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
The bot acts as a Farcaster account of its own. It must be made in the official Farcaster app, and stay signed in on a phone: its
key is approved there. To register may cost money, and is not offered in every country. Give the account a name, because owners
of channels find it by name. Its fid is shown in its profile (About).`,
  });
  const name = await readOwnName({ REGISTRY_URL, BOT_FID: Number(BOT_FID) }, probe);
  answers.say(
    name === undefined
      ? `  The registry knows no name of fid ${BOT_FID}: give the account one in the app, because owners of channels find it by name.`
      : `  Fid ${BOT_FID} is ${name}: by that name owners of channels find it.`,
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

/** Seconds between two looks at a hub with a key, which is paid by the call. */
const hostedPace = "5";
/** Main network; a call for each. */
const usualShards = 2;

function proposePace(answers: Answers, HUB_URL: string, set: string | undefined): string {
  const { HUB_SECONDS: usual, HUB_URL: hubs = [] } = parseConfig({ HUB_URL });
  const isPaid = hubs.some(({ headers }) => Object.keys(headers).length > 0);
  const every = set ?? (isPaid ? hostedPace : String(usual));
  const calls = ((usualShards * 86_400) / Number(every)).toLocaleString("en-US", {
    maximumFractionDigits: 0,
  });
  const paid = isPaid ? " Hosts count calls: look at what its plan allows." : "";
  answers.say(
    `  The hub is asked every ${every} s (HUB_SECONDS), some ${calls} times a day with two shards.${paid}`,
  );
  return every;
}

/** A key behind the address is a secret: it may be typed by itself, where nobody sees it. */
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
  return state === "wrong" ? `does not do. ${part}: ${message} ${fix ?? ""}`.trimEnd() : undefined;
}

/** What a run before left has to be a whole configuration, or the start would refuse it. Throws `invalid_configuration`. */
export function requireWhole(settings: Readonly<Record<string, string | undefined>>): Config {
  try {
    return parseConfig(settings);
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    throw new AppError("invalid_configuration", "These settings do not do together:", {
      cause,
      mistakes: [...cause.mistakes],
    });
  }
}
