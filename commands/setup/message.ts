import { z } from "zod";
import { confirm, flag, text } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { textView, type View } from "../../src/discord/view.ts";
import { AppError } from "../../src/errors.ts";
import { fillTemplate, maxTemplateLength, readTemplate } from "../../src/feed/notices/notice-template.ts";
import { findTemplate, removeTemplate, saveTemplate } from "../../src/feed/notices/templates.ts";
import {
  languageCodes,
  languageNames,
  readLanguage,
  textsFor,
  type Language,
} from "../../src/languages/languages.ts";
import { authorize } from "../../src/moderation/authorize.ts";
import { announceSetupChange } from "../../src/observe/setup-changes.ts";
import { codeBlock } from "../../src/text/message-text.ts";
import { showUser } from "../../src/text/show-doer.ts";
import { channelOption, chooseChannelFor, languageOption } from "../shared/options.ts";

export const message = confirm({
  description: "The private message to banned people and authors of hidden casts",
  needs: "link",
  options: {
    template: text({
      description:
        "May use {user}, {channel}, {reason}, {until}, {appeal}; if left out, shows the current one",
      maxLength: maxTemplateLength,
    }),
    language: languageOption("The language of your template; if left out, as before, or English"),
    turn_off: flag("Stop sending it"),
    channel: channelOption,
  },
  confirmLabel: "Send it from now on",
  state: z.object({
    channelId: z.string(),
    template: z.string(),
    language: z.enum(languageCodes),
  }),
  async preview(context, { template: typed, language, turn_off: turnOff, channel: given }) {
    const channelId = await chooseChannelFor(context, given, "link");
    if (turnOff && typed !== undefined) {
      throw new AppError("invalid_input", "Give a template, or turn it off, not both.");
    }
    if (language !== undefined && typed === undefined) {
      throw new AppError("invalid_input", "Give the template, too, written in that language.");
    }
    if (turnOff) return { view: await stop(context, channelId) };
    if (typed === undefined) return { view: await show(context, channelId) };
    const template = readTemplate(typed);
    const { guildId } = context.actor;
    const stored = await findTemplate(context.database.query, { guildId, channelId });
    const used = language ?? readLanguage(stored?.locale);
    const sentences = [
      "This server's moderators and rules send this as a private message to people they ban and to authors of casts they hide, at most three an hour each. It reaches people who have verified their Discord account on Farcaster and accept messages.",
      "",
      `For a ban, in ${languageNames[used]}: ${sample(template, used, channelId)}`,
    ];
    const title = `Send this from /${channelId}?`;
    return {
      view: textView("warning", sentences, { title }),
      state: { channelId, template, language: used },
    };
  },
  async act(context, { channelId, template, language: locale }) {
    await authorize(context, context.actor, channelId, "link");
    const { guildId, userId } = context.actor;
    await context.database.transaction(async (tx) => {
      await saveTemplate(context, tx, { guildId, channelId }, { template, locale, userId });
      const what = `set the message to banned people and authors of hidden casts in /${channelId}`;
      await announceSetupChange(context, tx, { guildId, channelId, kind: "links", userId, what });
    });
    return textView(
      "good",
      `It is sent from now on for actions in /${channelId}. Turn it off with /setup message turn_off:True.`,
    );
  },
});

const reason = "the reason in the case";

/** The message with sample values. */
function sample(template: string, language: Language, channelId: string): string {
  const facts = { kind: "ban", user: "@somebody", channelId, reason, untilMs: null } as const;
  return `\n${fillTemplate(template, facts, textsFor(language).notices)}`;
}

async function show({ database, actor }: CommandContext, channelId: string): Promise<View> {
  const found = await findTemplate(database.query, { guildId: actor.guildId, channelId });
  const description = found
    ? `Set by ${showUser(found.setBy)}, in ${languageNames[readLanguage(found.locale)]}:\n${codeBlock(found.template, maxTemplateLength)}`
    : "No message is sent. Give a template to change that.";
  return textView("plain", description, { title: `Message from /${channelId}` });
}

async function stop(context: CommandContext, channelId: string): Promise<View> {
  const { guildId, userId } = context.actor;
  const was = await context.database.transaction(async (tx) => {
    if (!(await removeTemplate(tx, { guildId, channelId }, context.clock.now()))) return false;
    const what = `turned off the message to banned people and authors of hidden casts in /${channelId}`;
    await announceSetupChange(context, tx, { guildId, channelId, kind: "links", userId, what });
    return true;
  });
  const description = was ? "No more messages are sent." : "No messages were being sent.";
  return textView(was ? "good" : "plain", description);
}
