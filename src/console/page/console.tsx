import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Refused } from "../../web/kit/request.ts";
import type { Me, Server, SignedIn } from "../account-routes.ts";
import { ask, rememberCsrf } from "./ask.ts";
import { Desk } from "./desk.tsx";
import { goTo, useHere, type Place } from "./location.ts";
import { Problem, Waiting } from "./parts.tsx";
import { SignOut } from "./sign-out.tsx";

/** Requests the signed-in person. A signed-in person has `me`, others `isOut`. */
function useMe() {
  const [state, setState] = useState<{ me?: SignedIn; isOut?: boolean; problem?: Refused }>({});
  useEffect(() => {
    // The server's own type.
    (ask("/me") as Promise<Me>).then(
      (me) => {
        if (me.user === null) return setState({ isOut: true });
        rememberCsrf(me.csrf);
        setState({ me });
      },
      (problem: Refused) => setState({ problem }),
    );
  }, []);
  return { ...state, signedOut: () => setState({ isOut: true }) };
}

function Console() {
  const place = useHere();
  const { me, isOut, problem, signedOut } = useMe();
  if (problem)
    return (
      <main class="alone">
        <Problem problem={problem} />
      </main>
    );
  if (isOut) return <SignIn place={place} />;
  if (!me)
    return (
      <main class="alone">
        <Waiting />
      </main>
    );
  const server = me.servers.find(({ id }) => id === place.server);
  if (server) return <Desk key={server.id} me={me} server={server} place={place} signedOut={signedOut} />;
  if (place.server && me.more) return <FarServer me={me} place={place} signedOut={signedOut} />;
  return <Servers me={me} place={place} signedOut={signedOut} />;
}

/** Why signing in failed, by the server's error code. */
const problems: Readonly<Record<string, string>> = {
  refused: "You were not signed in.",
  not_allowed: "This sign-in was not started in this browser, or took too long. Please sign in again.",
  rate_limited: "Too many sign-ins. Please wait a minute, and sign in again.",
  discord_unreachable: "Discord does not answer. Please try again in a minute.",
  invalid_configuration:
    "Discord does not accept this console. The operator of Castellan can find the reason in its log.",
  failed: "Something went wrong. The operator of Castellan can find the reason in its log.",
};

function SignIn({ place }: { place: Place }) {
  const problem = problems[place.query.problem ?? ""];
  const to = place.server ? place.path : "/console";
  return (
    <main class="alone">
      <img src="/console/page/castle.svg" alt="" width="48" height="48" />
      <h1>Castellan console</h1>
      <p>For moderators of the channels that this Castellan moderates.</p>
      {problem && <Problem problem={{ message: problem }} />}
      <a class="button primary" href={`/console/sign-in?to=${encodeURIComponent(to)}`}>
        Sign in with Discord
      </a>
      <p class="dim">Castellan learns only who you are. Your roles determine your permissions.</p>
    </main>
  );
}

interface ServersProps {
  me: SignedIn;
  place: Place;
  signedOut: () => void;
}

function Servers({ me, place, signedOut }: ServersProps) {
  const [only, another] = me.servers;
  useEffect(() => {
    if (only && !another && !place.server) goTo(`/console/${only.id}/queue`);
  }, [place.server]);
  return (
    <main class="alone">
      <h1>Which server?</h1>
      {place.server && <Problem problem={{ message: "You have no permissions in that server." }} />}
      {me.servers.length === 0 && (
        <p>
          You are signed in as {me.user.name}, who moderates no channel here. The owner of a channel can give
          permissions to a role of yours with /channel settings.
        </p>
      )}
      <ul class="servers">
        {me.servers.map(({ id, name, channels }) => (
          <li key={id}>
            <a class="button secondary" href={`/console/${id}/queue`}>
              {name} <span class="dim">{channels.map((channel) => `/${channel.id}`).join(" ")}</span>
            </a>
          </li>
        ))}
      </ul>
      {me.more && <p class="dim">Open others by their address: /console/ and the server's id.</p>}
      <SignOut name={me.user.name} signedOut={signedOut} />
    </main>
  );
}

/** A server that was not checked. */
function FarServer({ me, place, signedOut }: ServersProps) {
  const [server, setServer] = useState<Server | null>();
  useEffect(() => {
    // Empty for a server without permissions.
    (ask(`/servers/${place.server}`) as Promise<Partial<Server>>).then(
      ({ id, name, channels }) => setServer(id && name && channels ? { id, name, channels } : null),
      () => setServer(null),
    );
  }, [place.server]);
  if (server) return <Desk key={server.id} me={me} server={server} place={place} signedOut={signedOut} />;
  if (server === undefined)
    return (
      <main class="alone">
        <Waiting />
      </main>
    );
  return <Servers me={me} place={place} signedOut={signedOut} />;
}

const root = document.getElementById("console");
if (root) render(<Console />, root);
