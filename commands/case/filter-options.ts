import type { CommandContext } from "../../src/discord/command-context.ts";
import { oneOf, person, text, type ArgumentsOf } from "../../src/discord/command.ts";
import { authorize } from "../../src/moderation/authorize.ts";
import { caseKinds } from "../../src/moderation/cases/case.ts";
import type { CaseFilter } from "../../src/moderation/cases/list-cases.ts";
import { describeUser } from "../../src/observe/people.ts";
import { describeTime, escapeText, inlineCode } from "../../src/text/message-text.ts";
import { kindWords, stateWords } from "../shared/describe-case.ts";
import { channelOption, chooseChannel, sinceOption, optionalUser } from "../shared/options.ts";
import { ruleOption } from "../rule/rule-arguments.ts";
import type { CaseState } from "../../src/database/tables/case-states.ts";

const states = {
  done: "applied",
  outside_Castellan: "outside",
  ended_since: "reverted",
  already_so: "already",
  failed: "failed",
  not_settled: "requested",
} as const satisfies Record<string, CaseState>;
const stateNames = [
  "done",
  "outside_Castellan",
  "ended_since",
  "already_so",
  "failed",
  "not_settled",
] as const;

/** The filters of /case show. */
export const filterOptions = {
  user: optionalUser("Only about this person and their casts: fid, @name or profile link", "case"),
  moderator: person({ description: "Only actions by this Discord user" }),
  action: oneOf(caseKinds, { description: "Only this action" }),
  rule: { ...ruleOption, description: "Only actions of this rule" },
  state: oneOf(stateNames, { description: "Only cases in this state" }),
  since: sinceOption("Only after this time: 7d ago, 20:00 or 2026-11-23 20:00"),
  until: sinceOption("Only before this time: 1d ago, 20:00 or 2026-11-23 20:00"),
  words: text({
    description: "Only with these words (or words that begin with them) in reason, note or cast",
    maxLength: 100,
  }),
  channel: channelOption,
};

interface Filtered {
  filter: CaseFilter;
  /** In words; empty without a filter. */
  said: string;
}

/** Throws as `authorize` does, and `invalid_input`. */
export async function readFilter(
  context: CommandContext,
  args: ArgumentsOf<typeof filterOptions>,
): Promise<Filtered> {
  const { user, moderator, action, rule, state, since, until, words } = args;
  const channelId = await chooseChannel(context, args.channel);
  await authorize(context, context.actor, channelId, "view");
  const ruleId = rule?.trim().toLowerCase();
  const said = [
    ...(user ? [`about ${describeUser(user)}`] : []),
    ...(moderator === undefined ? [] : [`by <@${moderator}>`]),
    ...(action === undefined ? [] : [kindWords[action].toLowerCase()]),
    ...(ruleId === undefined ? [] : [`by rule ${inlineCode(ruleId, 40)}`]),
    ...(state === undefined ? [] : [describeWantedState(states[state])]),
    ...(since === undefined ? [] : [`since ${describeTime(since, "f")}`]),
    ...(until === undefined ? [] : [`before ${describeTime(until, "f")}`]),
    ...(words === undefined ? [] : [`with “${escapeText(words, 60)}”`]),
  ];
  return {
    said: said.join(", "),
    filter: {
      guildId: context.actor.guildId,
      channelId,
      subjectFid: user?.fid,
      actorUser: moderator,
      kind: action,
      ruleId,
      state: state && states[state],
      sinceMs: since === undefined ? undefined : since * 1000,
      untilMs: until === undefined ? undefined : until * 1000,
      words,
    },
  };
}

function describeWantedState(state: CaseState): string {
  return state === "reverted" ? "ended since" : stateWords[state];
}
