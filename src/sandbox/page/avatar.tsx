const colours = [
  "#8a4f7d",
  "#4f6d8a",
  "#52795a",
  "#8a5a44",
  "#5b559c",
  "#2f7c83",
  "#94484f",
  "#6f6a32",
  "#3f6fb0",
  "#7a4fa3",
];

interface AvatarProps {
  id: string;
  name: string;
  small?: boolean;
  bot?: boolean;
}

/** Two letters on the person's colour. */
export function Avatar({ id, name, small = false, bot = false }: AvatarProps) {
  const background = colours[Number(BigInt(id) % BigInt(colours.length))];
  if (bot) return <img class="avatar avatar-bot" src="/page/castle.svg" alt="" />;
  return (
    <span class={`avatar ${small ? "avatar-small" : ""}`} style={{ background }} aria-hidden="true">
      {beginning(name)}
    </span>
  );
}

/** One letter would be ambiguous for too many people: mo, mel. */
function beginning(name: string): string {
  const [first = "?", second = ""] = name;
  return first.toUpperCase() + second.trim();
}
