import { createAgo } from "./ago.ts";
import type { Texts } from "./en.ts";
import { createPlural } from "./plurals.ts";
import { posts } from "./posts/de.ts";

const plural = createPlural("de");

/** German. Readers are addressed as "du". */
export const de: Texts = {
  locale: "de",
  descriptions: {
    report: "Melde einen Cast an die Moderation seines Channels; bis sie entscheidet, passiert nichts",
    "report:cast": "Welcher Cast: sein Link, wie ihn die Farcaster-App kopiert, oder sein Hash",
    "report:reason": "Was daran nicht stimmt; die Moderation liest das",
    appeal: "Lass deinen Bann oder ausgeblendeten Cast prüfen; ohne Text siehst du deine Einsprüche",
    "appeal:text": "Warum es aufgehoben werden soll; die Moderation liest das",
    "appeal:case": "Die Nummer des Falls, etwa C-12, wenn es mehrere gibt",
    "appeal:channel": "Der Channel des Falls, wenn du Fälle in mehreren hast",
    "appeal:user": "Dein eigenes Farcaster-Konto, falls Castellan es nicht findet: fid oder @name",
    help: "Was du mit Castellan machen kannst und was es nicht kann",
    "help:about": "Nur Befehle zu diesem Thema, mit Beschreibungen",
  },
  topics: {
    People: "Leute",
    Casts: "Casts",
    "The record and the queue": "Protokoll und Prüfungen",
    Rules: "Regeln",
    Feeds: "Feeds",
    "Channels and permissions": "Channels und Rechte",
  },
  menuNames: { Report: "Der Moderation melden" },

  help: {
    title: "Castellan: Farcaster-Channels, von hier aus moderiert",
    click: "Klick auf einen Befehl, um ihn einzugeben.",
    none: "Von diesen Befehlen kannst du hier keinen benutzen.",
    forModerators: (count) =>
      plural(count, {
        one: "Ein weiterer Befehl ist für alle, die moderieren.",
        other: "Die anderen # Befehle sind für alle, die moderieren.",
      }),
    becomeModerator:
      "Dazu gehörst du, wenn dir auf Farcaster ein Channel dieses Servers gehört oder du ihn moderierst und dort dieses Discord-Konto verifiziert hast, oder wenn der Besitzer des Channels einer deiner Rollen Rechte in Castellan gibt.",
  },

  reports: {
    reasonLabel: "Was stimmt damit nicht? (freiwillig)",
    sent: "Gemeldet",
    notSent: "Nicht noch einmal gemeldet",
    first: (channelId) =>
      `Die Moderation von /${channelId} prüft ihn und sieht, wer ihn warum gemeldet hat. Ausgeblendet wird nichts, bis sie entscheidet.`,
    joined: (channelId) =>
      `Andere haben ihn auch gemeldet, und deine Meldung wurde hinzugefügt. Ausgeblendet wird nichts, bis die Moderation von /${channelId} entscheidet.`,
    again: (channelId) =>
      `Du hast diesen Cast schon gemeldet. Die Moderation von /${channelId} hat noch nicht entschieden, deshalb wurde nichts hinzugefügt.`,
    decided: (channelId) =>
      `Die Moderation von /${channelId} hat ihn schon geprüft. Es wurde nichts hinzugefügt.`,
    dismissed: (channelId) =>
      `Die Moderation von /${channelId} hat ihn schon geprüft und so gelassen, wie er ist. Es wurde nichts hinzugefügt.`,
    unseen: (channels) =>
      `Castellan hat in keinem Channel dieses Servers (${channels}) so einen Cast gesehen. Es wurde nichts gemeldet. Kopiere den Link des Casts in der Farcaster-App und füge ihn hier ein, oder wähle bei einem Beitrag darüber Apps › Der Moderation melden.`,
    andMore: (channels, count) =>
      `${channels} und ${plural(count, { one: "# weiterer", other: "# weitere" })}`,
    deleted: "Wer diesen Cast gepostet hat, hat ihn inzwischen gelöscht. Es gibt nichts zu melden.",
    hidden: "Dieser Cast ist schon ausgeblendet. Es wurde nichts gemeldet.",
    ignored: (channelId) =>
      `Die Moderation von /${channelId} nimmt von dir keine Meldungen mehr an. Es wurde nichts gemeldet. Sprich sie an, wenn du das für ein Versehen hältst.`,
    tooManyOwn: (max, minutes) =>
      `Du kannst höchstens ${max} Casts pro Stunde melden; es wurde nichts gemeldet. ${tryAgain(minutes)}`,
    tooMany: (max, minutes) =>
      `Dieser Server nimmt höchstens ${max} Meldungen pro Stunde an; es wurde nichts gemeldet. ${tryAgain(minutes)}`,
    tooManyRecent: (max, minutes) =>
      `Von Leuten, die in den letzten 24 Stunden schon etwas gemeldet haben, nimmt dieser Server höchstens ${max} Meldungen pro Stunde an; es wurde nichts gemeldet. ${tryAgain(minutes)}`,
  },

  appeals: {
    title: "Deine Einsprüche",
    nothingSent: "Es wurde nichts gesendet.",
    canAppeal: "Dagegen kannst du je einmal Einspruch einlegen: Nutze /appeal und schreib, warum.",
    ban: (channelId) => `Bann in /${channelId}`,
    hide: (channelId) => `Ausgeblendeter Cast in /${channelId}`,
    which: "Wogegen möchtest du Einspruch einlegen?",
    several: "Es gibt mehrere. Wähle mit der Option `case` einen Fall aus.",
    unknown:
      "Zu diesen Angaben gibt es nichts, wogegen du Einspruch einlegen kannst. /appeal zeigt, wogegen es geht.",
    notACase: "Das ist keine Fallnummer. Schreib sie als C-12 oder 12.",
    none: (fids) =>
      `Für ${fids} gibt es nichts, wogegen du Einspruch einlegen kannst. Geht es um ein anderes Konto von dir? Nenne es mit der Option \`user\`.`,
    unknownAccount: (user) =>
      `Castellan weiß nicht, welches Farcaster-Konto zu ${user} gehört. Verbinde zuerst Discord mit deinem Farcaster-Konto.`,
    unknownAccountLive: (user) =>
      `Castellan weiß nicht, welches Farcaster-Konto zu ${user} gehört. Nenne dein Konto mit der Option \`user\`. Es muss dein Discord-Konto verifiziert haben.`,
    notVerified: (fid) =>
      `fid ${fid} hat dein Discord-Konto nicht verifiziert, deshalb kannst du nicht für dieses Konto sprechen. Verbinde Discord in deiner Farcaster-App mit ihm und versuch es noch einmal.`,
    notVerifiedLive: (fid) =>
      `fid ${fid} hat dein Discord-Konto nicht verifiziert, deshalb kannst du nicht für dieses Konto sprechen. Verbinde Discord in deiner Farcaster-App mit ihm und versuch es nach einer Minute noch einmal.`,
    sent: "Einspruch gesendet",
    sentBan: (channelId, number) =>
      `Die Moderation von /${channelId} prüft deinen Bann (${number}). Sie sieht, was du geschrieben hast und wer du hier bist. Bis sie entscheidet, ändert sich nichts.`,
    sentHide: (channelId, number) =>
      `Die Moderation von /${channelId} prüft deinen ausgeblendeten Cast (${number}). Sie sieht, was du geschrieben hast und wer du hier bist. Bis sie entscheidet, ändert sich nichts.`,
    answerComes:
      "Die Antwort bekommst du als Direktnachricht, wenn du Nachrichten von Mitgliedern dieses Servers zulässt. Auch /appeal zeigt sie dir.",
    notInEffect: "Das gilt nicht mehr, oder du hast schon Einspruch eingelegt. /appeal zeigt dir den Stand.",
    oneAtATime: (number, channelId) =>
      `Dein Einspruch zu ${number} in /${channelId} wartet noch auf die Moderation. Du kannst immer nur einen Einspruch offen haben. Es wurde nichts gesendet.`,
    tooMany: (max) =>
      `Dieser Server nimmt höchstens ${max} Einsprüche pro Stunde an; es wurde nichts gesendet. Versuch es in einer Stunde noch einmal.`,
  },
  appealedBefore: {
    lifted: (number, channelId) =>
      `Du hast gegen ${number} in /${channelId} schon Einspruch eingelegt, und der Bann wurde aufgehoben.`,
    shown: (number, channelId) =>
      `Du hast gegen ${number} in /${channelId} schon Einspruch eingelegt, und der Cast ist wieder sichtbar.`,
    open: (number, channelId) =>
      `Du hast gegen ${number} in /${channelId} schon Einspruch eingelegt; die Moderation hat noch nicht entschieden. Es wurde nichts gesendet.`,
    granted: (number, channelId) =>
      `Du hast gegen ${number} in /${channelId} schon Einspruch eingelegt, und die Moderation hat ihm stattgegeben. Es wurde nichts gesendet.`,
    declined: (number, channelId) =>
      `Du hast gegen ${number} in /${channelId} schon Einspruch eingelegt, und die Moderation hat es dabei belassen. Es wurde nichts gesendet.`,
  },
  appealStates: {
    open: (what, appealed) => `${what}, Einspruch ${appealed}: Die Moderation hat noch nicht entschieden.`,
    granted: (what, appealed, decided) => `${what}, Einspruch ${appealed}: stattgegeben ${decided}.`,
    declined: (what, appealed, decided) =>
      `${what}, Einspruch ${appealed}: abgelehnt ${decided}; es bleibt dabei.`,
    lifted: "Der Bann wurde aufgehoben.",
    shown: "Der Cast ist wieder sichtbar.",
    unconfirmed: "Das Netzwerk hat es noch nicht bestätigt.",
  },
  appealAnswers: {
    granted: "Deinem Einspruch wurde stattgegeben",
    declined: "Dein Einspruch wurde abgelehnt",
    ban: (channelId, number) =>
      `Die Moderation hat sich deinen Bann in /${channelId} noch einmal angesehen (${number}).`,
    hide: (channelId, number) =>
      `Die Moderation hat sich deinen ausgeblendeten Cast in /${channelId} noch einmal angesehen (${number}).`,
    banLifted: "Der Bann ist aufgehoben. Um wieder Mitglied zu werden, brauchst du eine neue Einladung.",
    castShown: "Der Cast ist wieder sichtbar.",
    banStays: "Der Bann bleibt bestehen.",
    castStays: "Der Cast bleibt ausgeblendet.",
    replacesEarlier: "Das ersetzt eine frühere Antwort.",
    footer: (number, answer) => `Einspruch ${number}, Antwort ${answer}`,
  },
  notices: {
    ban: (channelId) => `Du wurdest in /${channelId} gebannt`,
    hide: (channelId) => `Ein Cast von dir wurde in /${channelId} ausgeblendet`,
    noReason: "kein Grund angegeben",
    permanent: "dauerhaft",
    untilShown: "bis die Moderation ihn wieder einblendet",
    footer: (number, channelId, key) => `Fall ${number} in /${channelId}, ${key}`,
  },

  typed: {
    unknownCast: (link) =>
      `Unbekannter Cast. Füge seinen Link ein, den du in der Farcaster-App beim Teilen des Casts kopierst (\`${link}\`). Auch sein Hash (0x und 40 Zeichen) geht.`,
    severalCasts: (hash) => `Mehrere Casts beginnen mit ${hash}. Nenne den ganzen Hash.`,
    unseenCast: (hash) =>
      `Castellan hat keinen Cast gesehen, dessen Hash mit ${hash} beginnt. Kopiere den Link noch einmal, oder nenne den ganzen Hash.`,
    unusedName: (name) =>
      `Den Namen ${name} hat gerade niemand. Nenne einen anderen Namen oder die fid (etwa fid 7).`,
    unknownUser: (link) =>
      `Unbekanntes Konto. Schreib eine fid nur mit Ziffern (7), einen Namen (@alice) oder einen Profil-Link (\`${link}\`).`,
    unclearUser: (typed, link) =>
      `${typed} ist nicht eindeutig. Schreib eine fid nur mit Ziffern (7), einen Namen (@alice) oder einen Profil-Link (\`${link}\`), immer nur ein Konto.`,
    notAChannel: "Das ist kein Channel. Nenne die ID des Channels, etwa memes, oder seinen Link.",
  },
  cast: posts.cast.parts,
  ago: createAgo("de"),
  suggested: (who, ago) => `${who}, ${ago}: `,
  suggestedIn: (who, channelId, ago) => `${who} in /${channelId}, ${ago}: `,
  andMore: (count) => `… und ${count} weitere`,

  links: {
    none: "Dieser Server ist noch mit keinem Channel verknüpft. Wer einen Channel besitzt oder moderiert und hier „Server verwalten“ hat, kann ihn mit /setup link verknüpfen.",
    noneWorks:
      "Von den Verknüpfungen dieses Servers mit Channels funktioniert gerade keine. Sag der Moderation Bescheid.",
    ended: (channelId) =>
      `Dieser Server ist nicht mehr mit /${channelId} verknüpft. Es wurde nichts gesendet.`,
  },

  menus: {
    noCast: "In dieser Nachricht geht es um keinen Cast, den Castellan kennt.",
    whichOne: "Was ist gemeint?",
    chooseOne: "Diese Nachricht passt zu mehr als einer Möglichkeit. Wähle eine aus.",
    typeAnother: (question, count) => `${question} (${count} weitere kannst du als Befehl eingeben.)`,
  },
  outdated: {
    buttons:
      "Diese Schaltflächen sind zu alt. Es wurde nichts ausgeführt; bitte gib den Befehl noch einmal ein.",
    buttonsOfEarlier:
      "Diese Schaltflächen sind von einer älteren Version. Es wurde nichts ausgeführt; bitte gib den Befehl noch einmal ein.",
    button: "Diese Schaltfläche ist von einer älteren Version. Bitte gib den Befehl noch einmal ein.",
    menu: "Dieses Menü ist von einer älteren Version. Bitte gib den Befehl noch einmal ein.",
    form: "Dieses Formular ist von einer älteren Version. Bitte gib den Befehl noch einmal ein.",
    answer: "Diese Antwort gibt es nicht mehr. Bitte gib den Befehl noch einmal ein.",
    command: (path) => `Den Befehl /${path} gibt es nicht mehr.`,
    menuCommand: "Diesen Menübefehl gibt es nicht mehr.",
    notYours: "Diese Schaltflächen sind nur für die Person, die den Befehl eingegeben hat.",
    answered: "Das ist schon beantwortet. /case show zeigt das Ergebnis.",
  },
  errors: {
    failed: (id) =>
      `Da ist etwas schiefgegangen (${id}). Wer Castellan betreibt, findet die Ursache mit dieser Kennung im Log.`,
    unshownFailure: (id) =>
      `Das hat nicht geklappt, und Discord hat die Nachricht mit dem Grund abgelehnt. Wer Castellan betreibt, findet den Fehler mit dieser Kennung im Log: ${id}.`,
    unshown: (id) =>
      `Discord hat die Antwort abgelehnt. Der Befehl selbst wurde ausgeführt: Sieh nach, bevor du ihn wiederholst. Wer Castellan betreibt, findet den Fehler mit dieser Kennung im Log: ${id}.`,
    unstorable:
      "Es wurde nichts ausgeführt, denn der Text enthält U+0000 oder ein halbes Zeichen. Gib ihn ohne das noch einmal ein.",
    onlyInServers: "Castellan funktioniert nur auf Servern, nicht in Direktnachrichten.",
    slow: "Das Netzwerk ist gerade zu langsam für ein Formular. Bitte versuch es gleich noch einmal.",
  },
  stillWorking:
    "Es dauert noch. Discord nimmt Antworten nur 15 Minuten lang an, deshalb wird das Ergebnis in diesem Kanal gepostet. Öffnen kannst nur du es.",
  posts,
};

function tryAgain(minutes: number): string {
  const wait = plural(minutes, { one: "einer Minute", other: "# Minuten" });
  return `Versuch es in ${wait} noch einmal, oder sprich die Moderation direkt an.`;
}
