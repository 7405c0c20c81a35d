const hues = 10;

/** Two letters on the person's colour. The colour is a class, because the page's policy forbids inline styles. */
interface AvatarProps {
  id: string;
  name: string;
  small?: boolean;
  bot?: boolean;
}

export function Avatar({ id, name, small = false, bot = false }: AvatarProps) {
  const hue = Number(BigInt(id) % BigInt(hues));
  if (bot) return <img class="avatar avatar-bot" src="/page/castle.svg" alt="" />;
  return (
    <span class={`avatar avatar-${hue} ${small ? "avatar-small" : ""}`} aria-hidden="true">
      {beginning(name)}
    </span>
  );
}

/** One letter would be ambiguous for too many people: mo, mel. */
function beginning(name: string): string {
  const [first = "?", second = ""] = name;
  return first.toUpperCase() + second.trim();
}
