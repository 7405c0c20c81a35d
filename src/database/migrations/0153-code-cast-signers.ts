/** The key that signed a cast with a code, in hex; null where nobody did. Those that wait to be judged have to be cast again. */
export const up = `
alter table castellan.code_casts add column signer text;
`;
