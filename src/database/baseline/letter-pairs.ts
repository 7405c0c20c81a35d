/**
 * Finding cases by words of scripts without spaces (Chinese, Japanese, Thai and others): by each two letters that stand side by
 * side, and the last one of a run alone. The regular expression's second pass begins one letter later. Cases without such
 * letters have no entry of their own.
 */
const letters =
  "\\u0e00-\\u0eff\\u0f40-\\u0fbc\\u1000-\\u109f\\u1780-\\u17ff\\u3005-\\u3007\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7af\\uf900-\\ufaff\\uff66-\\uff9f\\U00020000-\\U0003ffff";
const runs = `regexp_replace(value, '[^${letters}]+', ' ', 'g')`;
const inPairs = (text: string) =>
  String.raw`regexp_replace(${text}, '([${letters}])([${letters}])', '\1\2 ', 'g')`;
const fromSecond = String.raw`regexp_replace(${runs}, '(^| )[${letters}]', '\1', 'g')`;

export const letterPairs = `
create function castellan.letter_pairs(scope text, value text) returns tsvector
  language sql immutable parallel safe cost 500 as $$
    select case when value ~ '[${letters}]' then array_to_tsvector(array_append(
      regexp_split_to_array(btrim(${inPairs(runs)} || ' ' || ${inPairs(fromSecond)}), ' +'), scope)) end
  $$;
`;
