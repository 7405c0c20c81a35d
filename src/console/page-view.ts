import { mentionCommandsIn, type View } from "../discord/view.ts";

/** An answer for the page, with the names of commands, and pictures as data addresses. */
export type PageView = Omit<View, "pictures"> & { pictures?: { src: string; description: string }[] };

export function toPageView(answer: View): PageView {
  const { pictures, ...view } = mentionCommandsIn(answer, undefined);
  if (!pictures) return view;
  const toAddress = (bytes: Uint8Array) => `data:image/png;base64,${Buffer.from(bytes).toString("base64")}`;
  return {
    ...view,
    pictures: pictures.map(({ bytes, description }) => ({ src: toAddress(bytes), description })),
  };
}
