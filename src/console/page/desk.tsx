import type { FunctionComponent } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Capability } from "../../moderation/capabilities.ts";
import type { Server, SignedIn } from "../account-routes.ts";
import { Answer, useAnswers } from "./answers.tsx";
import { deskOf } from "./ask.ts";
import { Bulks } from "./bulks.tsx";
import { Case } from "./case.tsx";
import { Cases } from "./cases.tsx";
import { Channels } from "./channels.tsx";
import { Find } from "./find.tsx";
import { KeyHelp, useKeys } from "./keys.tsx";
import { useFocusReturn } from "./keep-focus.ts";
import { useLive } from "./live.ts";
import { goTo, type Place } from "./location.ts";
import type { PartProps } from "./part.ts";
import { Queue } from "./queue.tsx";
import { Audit, Health, Person, Statistics } from "./reading.tsx";
import { Rules } from "./rules/rules.tsx";
import { SignOut } from "./sign-out.tsx";

interface Section {
  id: string;
  title: string;
  /** The letter after g that opens it. */
  key: string;
  /** The capability required in at least one channel; undefined if any permission is enough. */
  needs: Capability | undefined;
  Part: FunctionComponent<PartProps>;
}

/** The parts of the console. */
const sections: readonly Section[] = [
  { id: "queue", title: "Queue", key: "q", needs: "view", Part: Queue },
  { id: "cases", title: "Cases", key: "c", needs: "view", Part: Cases },
  { id: "find", title: "Find", key: "f", needs: "view", Part: Find },
  { id: "people", title: "People", key: "p", needs: "view", Part: Person },
  { id: "channels", title: "Channels", key: "l", needs: undefined, Part: Channels },
  { id: "rules", title: "Rules", key: "r", needs: "rules", Part: Rules },
  { id: "bulks", title: "Bulks", key: "b", needs: "view", Part: Bulks },
  { id: "statistics", title: "Statistics", key: "s", needs: "view", Part: Statistics },
  { id: "health", title: "Health", key: "h", needs: undefined, Part: Health },
  { id: "audit", title: "Audit", key: "a", needs: "link", Part: Audit },
];

interface DeskProps {
  me: SignedIn;
  server: Server;
  place: Place;
  signedOut: () => void;
}

/** The console of one server. */
export function Desk({ me, server, place, signedOut }: DeskProps) {
  const desk = useMemo(() => deskOf(server.id), [server.id]);
  const [version, setVersion] = useState(0);
  const refresh = () => setVersion((before) => before + 1);
  const isLive = useLive(desk, { onChange: refresh, signedOut });
  const answers = useAnswers(desk, { refresh, signedOut });
  const may = new Set(server.channels.flatMap((channel) => channel.may));
  const shown = sections.filter(({ needs }) => needs === undefined || may.has(needs));
  const section = shown.find(({ id }) => id === place.section);
  const base = `/console/${server.id}`;
  const [helps, setHelps] = useState(false);
  useKeys(Object.fromEntries(shown.map(({ id, key }) => [key, () => goTo(`${base}/${id}`)])), () =>
    setHelps(true),
  );
  useFocusReturn();
  useEffect(() => {
    document.title = `${section?.title ?? "Castellan"} · ${server.name}`;
    if (!section && shown[0]) goTo(`${base}/${shown[0].id}`);
  }, [section?.id]);
  const Part = section?.id === "cases" && place.rest.length === 2 ? Case : section?.Part;
  const { press: onPress, run: onRun, show: onShow } = answers;
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="bar">
        <p class="brand">
          <img src="/console/page/castle.svg" alt="" width="24" height="24" />
          Castellan
        </p>
        <ServerChoice servers={me.servers} server={server} />
        <nav class="sections" aria-label="Console">
          {shown.map(({ id, title, key }) => (
            <a
              key={id}
              href={`${base}/${id}`}
              aria-current={id === section?.id ? "page" : undefined}
              title={`g ${key}`}
            >
              {title}
            </a>
          ))}
        </nav>
        <p class={isLive ? "live on" : "live"} role="status">
          {isLive ? "live" : "not live"}
        </p>
        <button type="button" class="button quiet for-keyboards" onClick={() => setHelps(true)}>
          Keys <kbd aria-hidden="true">?</kbd>
        </button>
        <SignOut name={me.user.name} signedOut={signedOut} />
      </header>
      <main id="main" tabindex={-1}>
        {Part && (
          <Part
            key={section?.id}
            desk={desk}
            server={server}
            me={me.user}
            place={place}
            path={`${base}/${section?.id}`}
            version={version}
            onPress={onPress}
            onRun={onRun}
            onShow={onShow}
          />
        )}
      </main>
      <p class="toast" role="status">
        {answers.said}
      </p>
      {answers.answer && <Answer {...answers} answer={answers.answer} />}
      {helps && <KeyHelp sections={shown} onClose={() => setHelps(false)} />}
    </>
  );
}

function ServerChoice({ servers, server }: { servers: readonly Server[]; server: Server }) {
  if (servers.length < 2) return <p class="server-name">{server.name}</p>;
  return (
    <label class="server-choice">
      <span class="visually-hidden">Server</span>
      <select value={server.id} onChange={(event) => goTo(`/console/${event.currentTarget.value}/queue`)}>
        {servers.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
