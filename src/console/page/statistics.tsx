import { useState } from "preact/hooks";
import type { PartProps } from "./part.ts";
import { ChannelField, Search } from "./parts.tsx";
import { useAnswer } from "./use-answer.tsx";
import { View } from "./view.tsx";

/** The pictures and figures of /stats, in the page's colours. They are drawn on request, not after each change. */
export function Statistics({ desk, server, place, path, onPress }: PartProps) {
  const { since = "", channel = "" } = place.query;
  const [version, setVersion] = useState(0);
  const theme = window.matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
  const { answer, instead } = useAnswer(desk, "/read/statistics", { since, channel, theme }, version);
  const channels = server.channels.filter(({ may }) => may.includes("view"));
  return (
    <>
      <header class="section-head">
        <h1>Statistics</h1>
        <Search path={path} label="Subject">
          <label>
            Since
            <input name="since" maxlength={20} placeholder="30d or 2026-11-23" value={since} data-search />
          </label>
          <ChannelField channels={channels} chosen={channel} all />
          <button type="button" class="button secondary" onClick={() => setVersion(version + 1)}>
            Refresh
          </button>
        </Search>
      </header>
      {instead}
      {answer && (
        <article class="card">
          <View view={answer.view} names={answer.names} onPress={onPress} />
        </article>
      )}
    </>
  );
}
