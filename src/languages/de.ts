import type { Texts } from "./en.ts";
import { createPlural } from "./plurals.ts";

const plural = createPlural("de");

/** German. Readers are addressed as "du". */
export const de: Texts = {
  locale: "de",
  stillWorking:
    "Es dauert noch. Discord nimmt Antworten nur 15 Minuten lang an, deshalb kommt das Ergebnis als Nachricht in diesen Kanal. Öffnen kannst nur du es.",
  errors: {
    failed: (id) =>
      `Da ist etwas schiefgegangen (${id}). Wer Castellan betreibt, findet mit dieser Kennung die Ursache im Protokoll.`,
    unshownFailure: (id) =>
      `Das hat nicht geklappt, und Discord hat die Nachricht mit dem Grund abgelehnt. Wer Castellan betreibt, findet den Fehler mit dieser Kennung im Protokoll: ${id}.`,
    unshown: (id) =>
      `Discord hat die Antwort abgelehnt. Der Befehl selbst wurde ausgeführt: Sieh nach, bevor du ihn wiederholst. Wer Castellan betreibt, findet den Fehler mit dieser Kennung im Protokoll: ${id}.`,
    unstorable:
      "Es wurde nichts getan, denn der Text enthält U+0000 oder ein halbes Zeichen. Gib ihn noch einmal ohne das ein.",
    onlyInServers: "Castellan funktioniert nur auf Servern, nicht in Direktnachrichten.",
  },
  descriptions: {
    report: "Casts, die Mitglieder der Moderation melden",
    "report cast": "Melde einen Cast der Moderation seines Channels; bis sie entscheidet, passiert nichts",
    "report cast:cast": "Welcher Cast: Hash oder Link",
    "report cast:reason": "Was daran nicht stimmt; die Moderation liest das",
    appeal: "Bitte die Moderation, deinen Bann oder Cast neu zu prüfen; ohne Text: deine Einsprüche",
    "appeal:text": "Warum es aufgehoben werden soll; die Moderation liest das",
    "appeal:case": "Die Nummer des Falls, etwa C-12, wenn es mehrere gibt",
    "appeal:channel": "Sein Channel, wenn du Fälle in mehreren hast",
    "appeal:user": "Dein eigenes Farcaster-Konto, falls Castellan es nicht findet: fid oder @name",
    help: "Was du mit Castellan tun kannst und was es nicht kann",
    "help:about": "Nur Befehle zu diesem Thema, mit Beschreibungen",
  },
  menuNames: { Report: "Der Moderation melden" },
  menus: {
    noCast: "In dieser Nachricht geht es um keinen Cast, den Castellan kennt.",
    whichOne: "Welcher ist gemeint?",
    chooseOne: "In dieser Nachricht kommen mehrere vor. Wähle einen aus.",
    gone: "Diesen Menübefehl gibt es nicht mehr.",
  },
  reports: {
    reasonLabel: "Was stimmt damit nicht? (freiwillig)",
    sent: "Gemeldet",
    notSent: "Nicht noch einmal gemeldet",
    first: (channelId) =>
      `Die Moderation von /${channelId} prüft ihn und sieht, wer ihn warum gemeldet hat. Ausgeblendet wird nichts, bis sie entscheidet.`,
    joined: (channelId) =>
      `Andere haben ihn auch gemeldet; deine Meldung kommt dazu. Ausgeblendet wird nichts, bis die Moderation von /${channelId} entscheidet.`,
    again: (channelId) =>
      `Du hast diesen Cast schon gemeldet. Die Moderation von /${channelId} hat noch nicht entschieden; es kam nichts dazu.`,
    decided: (channelId) => `Die Moderation von /${channelId} hat ihn schon geprüft. Es kam nichts dazu.`,
    dismissed: (channelId) =>
      `Die Moderation von /${channelId} hat ihn schon geprüft und so gelassen, wie er ist. Es kam nichts dazu.`,
    unseen: (channels) =>
      `Castellan hat in keinem Channel dieses Servers (${channels}) so einen Cast gesehen. Es wurde nichts gemeldet.`,
    andMore: (channels, count) => `${channels} und ${count} weitere`,
    deleted: "Dieser Cast wurde von seinem Konto gelöscht. Es gibt nichts zu melden.",
    hidden: "Dieser Cast ist schon ausgeblendet. Es wurde nichts gemeldet.",
    ignored: (channelId) =>
      `Die Moderation von /${channelId} nimmt von dir keine Meldungen mehr an. Es wurde nichts gemeldet. Sprich sie an, wenn du das für ein Versehen hältst.`,
    tooManyOwn: (max, minutes) =>
      `Du kannst höchstens ${max} Casts pro Stunde melden; es wurde nichts gemeldet. Versuch es in ${inMinutes(minutes)} noch einmal oder sprich die Moderation direkt an.`,
    tooMany: (max, minutes) =>
      `Dieser Server nimmt höchstens ${max} Meldungen pro Stunde an; es wurde nichts gemeldet. Versuch es in ${inMinutes(minutes)} noch einmal oder sprich die Moderation direkt an.`,
    tooManyRecent: (max, minutes) =>
      `Von Leuten, die in den letzten 24 Stunden gemeldet haben, nimmt dieser Server höchstens ${max} Meldungen pro Stunde an; es wurde nichts gemeldet. Versuch es in ${inMinutes(minutes)} noch einmal oder sprich die Moderation direkt an.`,
  },
};

function inMinutes(minutes: number): string {
  return plural(minutes, { one: "einer Minute", other: "# Minuten" });
}
