import { ask } from "./ask.ts";

export function SignOut({ name, signedOut }: { name: string; signedOut: () => void }) {
  const leave = () => ask("/sign-out", {}).then(signedOut, signedOut);
  return (
    <button type="button" class="button quiet" onClick={leave} title={`Signed in as ${name}`}>
      Sign out
    </button>
  );
}
