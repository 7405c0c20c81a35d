/** What became of the bot's key on the live network: of its calls there, and by what the hubs say. */
export const up = `
create table castellan.bot_keys (
  -- The public key, as the network names it.
  key text primary key,
  -- The latest call that the client API accepted with it; the first one that it has refused since.
  accepted_at_ms bigint,
  refused_at_ms bigint,
  refusal text,
  refusal_announced_at_ms bigint,
  -- When the hubs were last asked for it, what they said, and the bad news of it that was announced.
  checked_at_ms bigint,
  standing text,
  standing_message text,
  announced_standing text
);
`;
