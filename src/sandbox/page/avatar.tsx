const hues = 10;

/** Two letters on a colour of the person's own. The colour is a class, for styles may not be written inline. */
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

/** One letter would be the same for too many: mo, mel. */
function beginning(name: string): string {
  const [first = "?", second = ""] = name;
  return first.toUpperCase() + second.trim();
}
