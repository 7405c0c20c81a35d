import { listing, oneOf } from "../src/discord/command.ts";
import { authorizeIn } from "../src/moderation/authorize-server.ts";
import { listSetupChanges } from "../src/observe/setup-changes.ts";
import { describeTime } from "../src/text/message-text.ts";
import { setupKinds } from "../src/text/setup-kinds.ts";
import { showUser } from "../src/text/show-doer.ts";
import { textView } from "../src/discord/view.ts";

const pageSize = 15;

export const audit = listing({
  description: "Who changed rules, permissions, feeds, links and API tokens, and when",
  needs: "link",
  options: {
    kind: oneOf(setupKinds, { description: "Only these changes" }),
  },
  async page(context, { kind }, cursor) {
    const channelIds = await authorizeIn(context, context.actor, "link");
    const { guildId } = context.actor;
    const before = cursor === undefined ? undefined : Number(cursor);
    const asked = { guildId, channelIds, kind, before, limit: pageSize + 1 };
    const found = await listSetupChanges(context.database.query, asked);
    const shown = found.slice(0, pageSize);
    const lines = shown.map(
      ({ what, by_user, at_ms }) => `${describeTime(at_ms / 1000)} ${showUser(by_user)}: ${what}`,
    );
    const last = shown.at(-1)?.id;
    const title = `Changes of the setup${kind === undefined ? "" : `: ${kind}`}`;
    return {
      view: textView("plain", lines.join("\n") || "None yet.", { title }),
      ...(found.length > pageSize && last !== undefined && { next: String(last) }),
    };
  },
});
