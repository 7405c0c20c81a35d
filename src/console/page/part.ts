import type { Server, SignedIn } from "../account-routes.ts";
import type { Answers } from "./answers.tsx";
import type { Desk } from "./ask.ts";
import type { Place } from "./location.ts";

/** The properties of each part of the console. */
export interface PartProps {
  desk: Desk;
  server: Server;
  me: SignedIn["user"];
  place: Place;
  /** Its own address, without the query. */
  path: string;
  /** Changes when data must be read again. */
  version: number;
  onPress: Answers["press"];
  onRun: Answers["run"];
  onShow: Answers["show"];
}
