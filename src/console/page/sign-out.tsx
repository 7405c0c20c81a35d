import { ask } from "./ask.ts";

/** Who is signed in, and the way out. */
export function SignOut({ name, signedOut }: { name: string; signedOut: () => void }) {
  const leave = () => ask("/sign-out", {}).then(signedOut, signedOut);
  return (
    <p class="who">
      <span>
        <span class="visually-hidden">Signed in as </span>
        {name}
      </span>
      <button type="button" class="button quiet" onClick={leave}>
        Sign out
      </button>
    </p>
  );
}
