import { useEffect, useState } from "preact/hooks";
import { send } from "../ask.js";
import { offeredValues, toItem } from "./option-values.js";

const patience = 150;

/** The values to choose from for the option that is being filled in; the bot is asked once typing rests. */
export function useSuggestions({ store, names, command, option, values }) {
  const typed = option ? (values[option.name]?.text ?? "") : "";
  const asksBot = Boolean(option?.autocomplete);
  const [answer, setAnswer] = useState({ items: [], loading: false, failed: false });
  useEffect(() => {
    if (!asksBot) return undefined;
    let current = true;
    setAnswer((last) => ({ ...last, loading: true, failed: false }));
    const timer = setTimeout(async () => {
      const { userId: user, roomId: room } = store.state;
      const body = {
        user,
        room,
        command: command.path,
        options: draft(values, option.name, typed),
        focused: option.name,
      };
      const choices = await send("/chat/suggest", body).catch(() => null);
      if (current)
        setAnswer({ items: (choices ?? []).map(toItem), loading: false, failed: choices === null });
    }, patience);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [asksBot, option?.name, typed]);
  if (!option) return { items: [], loading: false, failed: false };
  return asksBot ? answer : { items: offeredValues(option, names, typed), loading: false, failed: false };
}

function draft(values, focused, typed) {
  const filled = Object.entries(values)
    .map(([name, given]) => [name, given?.value ?? given?.text ?? ""])
    .filter(([name, value]) => name !== focused && value !== "");
  return { ...Object.fromEntries(filled), [focused]: typed };
}
