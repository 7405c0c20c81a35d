import { answer, parsed, type Suggest } from "../../src/discord/command.ts";
import { textView } from "../../src/discord/view.ts";
import { authorizeIn } from "../../src/moderation/authorize-server.ts";
import { findTimeZone, saveTimeZone } from "../../src/moderation/time-zones.ts";
import { announceSetupChange } from "../../src/observe/setup-changes.ts";
import { readTimeZone, showLocal } from "../../src/text/time-zone.ts";

/** Those that Node lists under an older name only. */
const renamed = ["Asia/Kolkata", "Asia/Kathmandu", "Asia/Yangon", "Asia/Ho_Chi_Minh", "Europe/Kyiv"];
const zones = [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone"), ...renamed])];

const suggestTimeZones: Suggest = async (typed) => {
  const word = typed.trim().replaceAll(" ", "_").toLowerCase();
  return zones
    .filter((zone) => zone.toLowerCase().includes(word))
    .map((value) => ({ name: value.replaceAll("_", " "), value }));
};

export const timeZone = answer({
  description: "The time zone in which typed times are read",
  needs: "link",
  console: true,
  options: {
    zone: parsed(
      {
        description: "Such as Europe/Berlin; if left out, shows the current one",
        maxLength: 60,
        suggest: suggestTimeZones,
      },
      readTimeZone,
    ),
  },
  async run(context, { zone }) {
    const { actor, clock, database } = context;
    await authorizeIn(context, actor, "link");
    const { guildId, userId } = actor;
    const before = await findTimeZone(database.query, guildId);
    const isNew = zone !== undefined && zone !== before;
    if (isNew) {
      await database.transaction(async (tx) => {
        await saveTimeZone(tx, guildId, zone);
        const what = `set the server's time zone to ${zone}`;
        await announceSetupChange(context, tx, { guildId, kind: "links", userId, what });
      });
    }
    const shown = zone ?? before;
    return textView(
      isNew ? "good" : "plain",
      [
        `**${shown}**, where it is ${showLocal(clock.now(), shown)} now.`,
        "Times that are typed in commands, such as 20:00, are read in it. Times in Castellan's messages are shown to each reader in their own.",
      ],
      { title: isNew ? "Time zone changed" : "Time zone" },
    );
  },
});
