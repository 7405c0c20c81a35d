/**
 * What became of a case is a code with data, and why it waits is a column of its own. Until then both were one sentence, which
 * code compared. Sentences that no version since the first release of this chain wrote are stored whole, as `other`.
 */
const fixed: Record<string, readonly string[]> = {
  done: [
    "Banned: while that lasts, replies are hidden, those so far and new ones. A ban hides no other casts of theirs. Lifting the ban does not bring back roles and invites: the user stays restricted until invited again.",
    "Unbanned: the replies show again. The user stays restricted until somebody invites them.",
    "The ban has another end.",
    "Invited. The user holds the role once they accept.",
    "Invite revoked. The user can still join by a link.",
    "Removed. The user is restricted: only a new invite brings them back.",
    "Hidden.",
    "Shown again.",
    "Pinned.",
    "Pinned, and every follower was notified: that cannot be taken back.",
    "Unpinned. An announcement that went out stays.",
  ],
  already: [
    "The user was banned already.",
    "The user was not banned.",
    "The ban ended just then before.",
    "The user already holds the role or an invite.",
    "There was no outstanding invite.",
    "The user was not a member.",
    "The cast was hidden already.",
    "The cast was not hidden.",
    "The cast was pinned already; nobody was notified.",
    "Nothing was pinned.",
  ],
  removed_member: [
    "The user had accepted it a moment before: the network removed and restricted them. /invite member brings them back.",
  ],
  banned_again: ["The ban was lifted. Somebody has banned the user again since."],
  not_banned: ["Nothing was changed: the user is not banned any more."],
  server_left: ["Not done: Castellan was removed from the server before it went out."],
  rules_paused: ["Not done: rules were paused before it went out."],
  bulk_stopped: ["Not done: the bulk was stopped before it went out."],
  link_removed: ["Not done: the server was no longer linked to the channel when its turn came."],
  link_suspended: ["Not done: the link to the channel was suspended when its turn came."],
  changed_since: [
    "The network did not answer, and somebody has changed this since. Castellan will not repeat it: check the channel.",
  ],
};

const refusals: Record<string, string> = {
  not_permitted: "The network does not let Castellan do this. Does it still moderate the channel?",
  not_owner: "Only the channel's owner may do this.",
  cannot_ban_owner: "The owner of a channel cannot be banned.",
  cannot_ban_moderator: "Only the owner can ban a moderator.",
  cannot_remove_owner: "The owner of a channel cannot be removed.",
  banned_from_channel: "The user is banned from the channel: lift the ban first.",
  invitee_not_following:
    "The user follows neither the channel nor Castellan's account, and an invite needs one of the two.",
  invitee_not_member: "Only a member can become a moderator.",
  too_many_moderators: "The channel has ten moderators, invites included. That is the most it can have.",
  cast_not_in_channel: "The cast is in no channel that Castellan moderates.",
  not_found: "The network knows no such channel or cast. The cast may have been removed.",
  invalid_auth_token: "The network does not accept Castellan's key. The operator has to renew it.",
};

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;
const known = [
  ...Object.entries(fixed).flatMap(([code, texts]) => texts.map((text) => [text, code, "null"] as const)),
  ...Object.entries(refusals).map(
    ([code, text]) => [text, "refused", `jsonb_build_object('code', ${quote(code)})`] as const,
  ),
];

/** A pattern with its code, and the detail made of the match. */
const patterns: readonly (readonly [code: string, pattern: string, detail: string])[] = [
  [
    "end_changed",
    "^The ban lasts (?:for good|until <t:(\\d+):f>); before, (?:for good|until <t:(\\d+):f>)\\.$",
    "jsonb_build_object('untilMs', (m.found)[1]::bigint * 1000, 'beforeMs', (m.found)[2]::bigint * 1000)",
  ],
  [
    "end_unchanged",
    "^Nothing was changed: (?:for good|until <t:(\\d+):f>) as before\\.$",
    "jsonb_build_object('untilMs', (m.found)[1]::bigint * 1000)",
  ],
  [
    "banned_longer",
    "^Not lifted: case C-(\\d+) bans the user for longer\\.$",
    "jsonb_build_object('caseNumber', (m.found)[1]::bigint)",
  ],
  [
    "done_by_another",
    "^Not undone: (?:another server|case C-(\\d+)) did the same, and that stands(?: \\(/(ban|un)[^)]*\\))?\\.$",
    `jsonb_build_object('caseNumber', (m.found)[1]::bigint, 'kind', coalesce(
      case (m.found)[2] when 'ban' then 'ban' when 'un' then 'hide' end,
      (select kind from castellan.cases as undone where undone.id = cases.undoes_case_id)))`,
  ],
  [
    "no_response",
    "^The network could not be reached for (\\d+) minutes, so Castellan gave up\\. Check the channel before trying again\\.$",
    "jsonb_build_object('minutes', (m.found)[1]::bigint)",
  ],
  [
    "limit_reached",
    "^The channel's budget for this is used up\\. It is free again in about (\\d+) min\\.$",
    "jsonb_build_object('minutes', (m.found)[1]::bigint)",
  ],
  ["refused", "^The network refused: (.*)$", "jsonb_build_object('message', (m.found)[1])"],
];

export const up = `
alter table castellan.cases
  add column outcome text,
  add column outcome_detail jsonb,
  add column waits_for text;
update castellan.cases set waits_for = case answer when 'The budget is used up.' then 'limit' else 'response' end
  where state = 'requested' and answer is not null;
update castellan.cases set outcome = known.outcome, outcome_detail = known.detail
  from (values
    ${known.map(([text, code, detail]) => `(${quote(text)}, ${quote(code)}, ${detail}::jsonb)`).join(",\n    ")}
  ) as known (answer, outcome, detail)
  where state <> 'requested' and cases.answer = known.answer;
${patterns
  .map(
    ([code, pattern, detail]) => `update castellan.cases set outcome = ${quote(code)}, outcome_detail = (
    select ${detail} from (select regexp_match(answer, ${quote(pattern)}) as found) as m)
  where state <> 'requested' and outcome is null and answer ~ ${quote(pattern)};`,
  )
  .join("\n")}
update castellan.cases set outcome = 'other', outcome_detail = jsonb_build_object('message', answer)
  where state <> 'requested' and outcome is null and answer is not null;
alter table castellan.cases drop column answer;
`;
