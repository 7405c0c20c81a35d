import type { Tx } from "../../src/database/database.ts";
import { answer, integer, parsed, text } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { textView, type View } from "../../src/discord/view.ts";
import { AppError } from "../../src/errors.ts";
import { listChannels } from "../../src/feed/render/bulk.ts";
import { readWebhookUrl } from "../../src/integrations/webhook-address.ts";
import {
  createWebhook,
  listDeliveries,
  listWebhooks,
  removeWebhook,
  requireWebhook,
  sendAgain,
  webhookEvents,
  type Webhook,
  type WebhookDelivery,
} from "../../src/integrations/webhooks.ts";
import { authorizeIn } from "../../src/moderation/authorize-server.ts";
import { explainUnlinked, listLinkedChannels } from "../../src/moderation/channel-links.ts";
import { announceSetupChange } from "../../src/observe/setup-changes.ts";
import { codeBlock, describeTime, inlineCode } from "../../src/text/message-text.ts";
import { chooseListed } from "../shared/choose-listed.ts";
import { channelOption, readChannelId } from "../shared/options.ts";

const nameForm = /^[a-z0-9][a-z0-9-]{0,31}$/;
type WebhookEvent = (typeof webhookEvents)[number];

export const webhooks = answer({
  description: "Webhooks of this server: lists, adds or removes one, or shows its latest calls",
  needs: { any: ["link", "manage"] },
  options: {
    add: text({ description: "Name of a new webhook, such as log-archive", maxLength: 32 }),
    url: text({ description: "The https address that the new webhook calls", maxLength: 500 }),
    events: parsed(
      { description: `What it is called for: ${webhookEvents.join(", ")}`, maxLength: 100 },
      readEvents,
    ),
    channel: { ...channelOption, description: "Only this channel; all that are linked now if left out" },
    show: text({ description: "Name of a webhook whose latest calls to show", maxLength: 32 }),
    again: integer({
      description: "Number of a call to make again, as `show` lists it",
      min: 1,
      max: Number.MAX_SAFE_INTEGER,
    }),
    remove: text({ description: "Name of a webhook to remove", maxLength: 32 }),
  },
  async run(context, { add, url, events, channel, show, again, remove }) {
    if (!context.actor.managesServer) await authorizeIn(context, context.actor, "link");
    if (add === undefined && (url ?? events ?? channel) !== undefined)
      throw new AppError(
        "invalid_input",
        "`url`, `events` and `channel` are for a new webhook, so fill in `add` too.",
      );
    const removed = remove === undefined ? undefined : await requireAllowed(context, remove.trim());
    const wanted =
      add === undefined
        ? undefined
        : await prepareWebhook(context, { name: add.trim(), url, events, channel });
    // Both or neither: the answer to a mistake must not hide that a webhook was removed.
    const secret = await context.database.transaction((tx) => changeWebhooks(context, tx, removed, wanted));
    const said = [
      ...(removed ? ["**Removed. Castellan no longer calls it.**"] : []),
      ...(wanted && secret !== undefined ? describeCreated(wanted, secret) : []),
    ];
    if (again !== undefined) {
      if (show === undefined) throw new AppError("invalid_input", "Name the webhook too, with `show`.");
      const webhook = await requireAllowed(context, show.trim());
      await context.wake("call-webhooks", await sendAgain(context, webhook, again));
      said.push(`Castellan makes call ${again} again.`);
    }
    return show === undefined ? listAll(context, said) : showOne(context, show.trim(), said);
  },
});

/** "case.opened, health" as events. Throws `invalid_input`. */
function readEvents(typed: string): WebhookEvent[] {
  const chosen = chooseListed(typed, webhookEvents);
  if (chosen) return chosen;
  throw new AppError(
    "invalid_input",
    `A webhook is called for: ${webhookEvents.join(", ")}. Name one or more.`,
  );
}

interface NewOne {
  name: string;
  url: string | undefined;
  events: readonly WebhookEvent[] | undefined;
  channel: string | undefined;
}

type WantedWebhook = Parameters<typeof createWebhook>[2];

/** Throws `invalid_input`, `not_linked`, `not_allowed`. */
async function prepareWebhook(
  context: CommandContext,
  { name, url, events, channel }: NewOne,
): Promise<WantedWebhook> {
  const { guildId, userId } = context.actor;
  if (!nameForm.test(name))
    throw new AppError(
      "invalid_input",
      "A webhook's name has 1 to 32 of a-z, 0-9 and -, such as log-archive.",
    );
  if (url === undefined || !events)
    throw new AppError(
      "invalid_input",
      "Give its address with `url`, and with `events` what it is called for.",
    );
  const channelIds = await chooseChannels(context, channel);
  const address = readWebhookUrl(url, context.settings.webhookHosts);
  return { guildId, name, url: address, events, channelIds, createdBy: userId };
}

/** Removes a webhook, creates another, or both, and returns the new one's secret. */
async function changeWebhooks(
  context: CommandContext,
  tx: Tx,
  removed: Webhook | undefined,
  wanted: WantedWebhook | undefined,
): Promise<string | undefined> {
  const { guildId, userId } = context.actor;
  const changes: string[] = [];
  if (removed) {
    await removeWebhook(tx, context, removed);
    changes.push(`removed the webhook ${removed.name}`);
  }
  const secret = wanted && (await createWebhook(tx, context, wanted));
  if (wanted) {
    const { name, events, channelIds } = wanted;
    changes.push(`created the webhook ${name} for ${events.join(", ")} of ${describeChannels(channelIds)}`);
  }
  for (const what of changes)
    await announceSetupChange(context, tx, { guildId, kind: "webhooks", userId, what });
  return secret;
}

function describeCreated({ name }: WantedWebhook, secret: string): string[] {
  return [
    `**Created ${inlineCode(name)}. Copy its secret now, because it is shown only this once:**`,
    codeBlock(secret, 200),
    `Check each call with it. A \`ping\` is on its way: \`show:${name}\` says whether it arrived.`,
  ];
}

/**
 * The webhook, for people with "link" in all of its channels, and for Manage Server, because the webhook belongs to the
 * server. Throws `not_found`, `not_allowed`.
 */
async function requireAllowed(context: CommandContext, name: string): Promise<Webhook> {
  const { actor } = context;
  const webhook = await requireWebhook(context.database.query, actor.guildId, name);
  if (!actor.managesServer) await authorizeIn(context, actor, "link", webhook.channelIds);
  return webhook;
}

/**
 * The channel, or all that are linked now. A webhook repeats everything about its channels, so it needs "link" in each of
 * them. Throws `not_linked`, `not_allowed`.
 */
async function chooseChannels(context: CommandContext, given: string | undefined): Promise<string[]> {
  const { actor } = context;
  const linked = await listLinkedChannels(context, actor.guildId, { suspended: false });
  const wanted = given === undefined ? linked : [readChannelId(given)];
  const unknown = wanted.find((id) => !linked.includes(id));
  if (unknown !== undefined) throw await explainUnlinked(context, actor, unknown);
  await authorizeIn(context, actor, "link", wanted);
  return wanted;
}

function describeChannels(channelIds: readonly string[]): string {
  return channelIds.length === 0 ? "no channel" : listChannels(channelIds.map((id) => `/${id}`));
}

async function listAll({ database, actor }: CommandContext, said: readonly string[]): Promise<View> {
  const found = await listWebhooks(database.query, actor.guildId);
  const lines = found.map((webhook) => {
    const { name, url, events, channelIds, createdBy } = webhook;
    const host = inlineCode(new URL(url).host, 100);
    return `- ${inlineCode(name)} of <@${createdBy}> calls ${host} for ${events.join(", ")} · ${describeChannels(channelIds)} · ${describeState(webhook)}`;
  });
  const description = [
    ...said,
    ...(said.length > 0 ? [""] : []),
    ...(lines.length > 0 ? lines : ["No webhook yet. Add one with `add`, `url` and `events`."]),
  ];
  return textView("plain", description, { title: "Webhooks" });
}

function describeState({ failingSinceMs, retryAtMs, succeededAtMs, error }: Webhook): string {
  if (failingSinceMs !== null) {
    const next = retryAtMs === null ? "" : ` · next attempt ${describeTime(retryAtMs / 1000)}`;
    return `⚠ fails since ${describeTime(failingSinceMs / 1000, "f")}: ${error ?? ""}${next}`;
  }
  return succeededAtMs === null ? "not called yet" : `last called ${describeTime(succeededAtMs / 1000)}`;
}

async function showOne(context: CommandContext, name: string, said: readonly string[]): Promise<View> {
  const webhook = await requireAllowed(context, name);
  const deliveries = await listDeliveries(context.database.query, webhook);
  const description = [
    ...said,
    ...(said.length > 0 ? [""] : []),
    describeState(webhook),
    "",
    ...(deliveries.length > 0 ? deliveries.map(describeDelivery) : ["No calls yet."]),
    "",
    "`again` with one of these numbers makes that call again, with the same id.",
  ];
  return textView("plain", description, { title: `Latest calls of ${name}` });
}

function describeDelivery(delivery: WebhookDelivery): string {
  const { id, data, state, error, attempts, requestedAtMs, settledAtMs } = delivery;
  const stateWords = {
    waiting: "not delivered yet",
    sent: "delivered",
    dropped: "obsolete",
    failed: "given up",
  };
  const when = describeTime((settledAtMs ?? requestedAtMs) / 1000);
  const tried = attempts > 1 ? ` · attempt ${attempts}` : "";
  return `- ${id} · ${data.webhook?.event ?? ""} · ${stateWords[state]} ${when}${tried}${error === null ? "" : ` · ${error}`}`;
}
