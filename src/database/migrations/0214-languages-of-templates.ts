/** The language of the message to people who are banned or whose cast is hidden. */
export const up = `
alter table castellan.notice_templates add column locale text not null default 'en-US';
`;
