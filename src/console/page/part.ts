import type { Server, SignedIn } from "../account-routes.ts";
import type { Answers } from "./answers.tsx";
import type { Desk } from "./ask.ts";
import type { Place } from "./location.ts";

/** What each part of the console works with. */
export interface PartProps {
  desk: Desk;
  server: Server;
  me: SignedIn["user"];
  place: Place;
  /** Its own address, without what is asked for there. */
  path: string;
  /** Changes with what is to be asked for again. */
  version: number;
  onPress: Answers["press"];
  onRun: Answers["run"];
  onShow: Answers["show"];
}
