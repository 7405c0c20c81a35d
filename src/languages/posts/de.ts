import { bulk, buttons, cases, outcomes, review } from "../cases/de.ts";
import { createPlural } from "../plurals.ts";
import type { PostTexts } from "./en.ts";

const plural = createPlural("de");
const points = (count: number) => plural(count, { one: "# Strafpunkt", other: "# Strafpunkte" });

/** German, for moderators, who are addressed as "du" where needed. */
export const posts: PostTexts = {
  locale: "de",

  someone: "jemand Unbekanntes",
  network: "das Netzwerk",
  doers: {
    // Both follow "von".
    operator: "Betreiberseite",
    token: (token, user) => `dem API-Token ${token} von ${user}`,
  },
  by: (who) => `von ${who}`,
  byRule: (rule) => `durch Regel ${rule}`,
  rule: (rule) => `Regel ${rule}`,
  author: (person) => `Autor: ${person}`,
  reason: (reason) => `Grund: ${reason}`,
  until: (time, relative) => `Bis ${time} (${relative}).`,
  untilTime: (time) => `Bis ${time}.`,
  actors: {
    unknown: "außerhalb von Castellan",
    otherServer: "durch Castellan, für einen anderen Server",
    rule: (rule, number) => `durch Regel ${rule} · Fall ${number}`,
    castellan: (number) => `durch Castellan · Fall ${number}`,
    outside: (number) => `außerhalb von Castellan · Fall ${number}`,
    person: (who, number) => `von ${who} · Fall ${number}`,
  },
  endings: {
    expired: "abgelaufen",
    since: "inzwischen rückgängig gemacht",
    outside: (number) => `außerhalb von Castellan rückgängig gemacht, ${number}`,
    castellan: (number) => `durch ${number} rückgängig gemacht`,
    person: (who, number) => `von ${who} rückgängig gemacht, ${number}`,
  },
  over: (ending) => `**${ending}.**`,

  /** For people, channels, rules and casts alike, so "einer" or "eine" would be wrong for some. */
  andMore: (names, count) => `${names} und ${plural(count, { one: "noch #", other: "# weitere" })}`,
  moreRules: (count) => `… und ${plural(count, { one: "# weitere Regel", other: "# weitere Regeln" })}`,
  moreCasts: (count) => `… und ${plural(count, { one: "# weiterer Cast", other: "# weitere Casts" })}`,
  moreFailed: (count) =>
    `… und ${plural(count, { one: "# weiterer fehlgeschlagener Fall", other: "# weitere fehlgeschlagene Fälle" })}`,

  cast: {
    hash: (hash) => `Cast ${hash}`,
    link: "im Netzwerk",
    at: (link) => `Der Cast ${link}`,
    inOneLine: (text) => `Der Cast: ${text}`,
    shown: {
      mentions: (names) => `Erwähnt: ${names}`,
      quotes: (hashes) => `Zitiert: ${hashes}`,
      picture: (address) => `Bild: ${address}`,
      video: (address) => `Video: ${address}`,
      link: (address) => `Link: ${address}`,
      moreEmbeds: (count) =>
        `und ${plural(count, { one: "# weitere Einbettung", other: "# weitere Einbettungen" })}`,
    },
    parts: {
      noText: "(kein Text)",
      picture: "(Bild)",
      video: "(Video)",
      link: "(Link)",
      quote: "(zitiert einen Cast)",
    },
    erased: "(auf Wunsch des Autors gelöscht)",
  },

  names: {
    titles: {
      registered: (name) => `Name registriert: ${name}`,
      transferred: (name) => `Name übertragen: ${name}`,
      released: (name) => `Name freigegeben: ${name}`,
      replaced: (name) => `Name ersetzt: ${name}`,
      renewed: (name) => `Namensnachweis erneuert: ${name}`,
    },
    registered: (name, fid) => `${name} gehört jetzt fid ${fid}.`,
    transferred: (name, from, to) => `${name} ging von fid ${from} an fid ${to}.`,
    released: (name) => `${name} ist wieder frei.`,
    releasedBy: (name, fid) => `${name} ist wieder frei; der Name gehörte fid ${fid}.`,
    renewed: (name, fid) => `fid ${fid} hat den Nachweis für ${name} erneuert.`,
    replaced: (name, fid, before) => `fid ${fid} heißt jetzt ${name} statt ${before}.`,
  },
  titles: {
    cast: (channel) => `Cast in ${channel}`,
    reply: (channel) => `Antwort in ${channel}`,
    castRemoved: (channel) => `Cast in ${channel} gelöscht`,
    hidden: (channel) => `Cast in ${channel} ausgeblendet`,
    shown: (channel) => `Cast in ${channel} wieder eingeblendet`,
    banned: (channel) => `Gebannt in ${channel}`,
    banOver: (channel) => `Bann in ${channel} abgelaufen`,
    banLifted: (channel) => `Bann in ${channel} aufgehoben`,
    restricted: (channel) => `Eingeschränkt in ${channel}`,
    unrestricted: (channel) => `Nicht mehr eingeschränkt in ${channel}`,
    joined: (channel) => `Neues Mitglied in ${channel}`,
    left: (channel) => `Kein Mitglied mehr in ${channel}`,
    removed: (channel) => `Aus ${channel} entfernt`,
    invited: (channel) => `Einladung zum Beitritt: ${channel}`,
    invitedToModerate: (channel) => `Einladung zum Moderieren: ${channel}`,
    inviteEnded: (channel) => `Einladung in ${channel} nicht mehr offen`,
    pinned: (channel) => `Angepinnt in ${channel}`,
    unpinned: (channel) => `Nicht mehr angepinnt in ${channel}`,
    edited: (channel) => `${channel} wurde bearbeitet`,
  },
  removedAt: (time) => `gelöscht ${time}`,
  becameMember: (person, time) => `${person} ist ${time} Mitglied geworden`,
  leftOrRemoved: "ausgetreten oder von anderen entfernt",
  onlyByInvite: "Kann nur mit einer Einladung wieder beitreten.",
  bannedInstead: "Stattdessen gebannt.",
  invitedBy: (person) => `Eingeladen durch ${person}.`,
  inviteEnded: {
    member: (person) => `${person} hat die Einladung zum Beitritt beantwortet, oder sie wurde zurückgezogen`,
    moderator: (person) =>
      `${person} hat die Einladung zum Moderieren beantwortet, oder sie wurde zurückgezogen`,
  },
  edited: (fields) => `Geändert: ${fields}`,
  fields: {
    name: "Name",
    address: "Adresse",
    description: "Beschreibung",
    picture: "Bild",
    "header picture": "Titelbild",
    owner: "Besitzer",
    moderators: "Moderatoren",
    "who may cast": "wer casten darf",
    link: "Link",
  },
  followers: {
    left: "Kein Mitglied mehr.",
    restricted: "Eingeschränkt: kann nur mit einer Einladung wieder beitreten.",
    unrestricted: "Nicht mehr eingeschränkt.",
    accepted: {
      member: "Hat die Einladung zum Beitritt angenommen.",
      moderator: "Hat die Einladung zum Moderieren angenommen.",
    },
    inviteEnded: {
      member: "Die Einladung zum Beitritt ist nicht mehr offen.",
      moderator: "Die Einladung zum Moderieren ist nicht mehr offen.",
    },
    strikes: (added, total) => `${points(added)}, jetzt insgesamt ${total}.`,
  },

  hits: {
    headline: (what, who) => `${what}: ${who}`,
    place: (person, channel) => `${person} · ${channel}`,
    rules: (ids) => `Regeln ${ids}`,
    acting: (rules) => `Aktion von ${rules} läuft`,
    couldNotAct: (rules) => `Aktion von ${rules} fehlgeschlagen`,
    shadow: (rules) => `Treffer von ${rules} im Schattenmodus`,
    hit: (rules) => `Treffer von ${rules}`,
    times: (actions, count) => `${actions} (${count}-mal)`,
    nothing: "nichts",
    wouldDo: (rule, actions) => `Regel ${rule} ist im Schattenmodus. Sie würde Folgendes tun: ${actions}.`,
    doNothing: "nichts",
    asks: (rule, actions) => `Regel ${rule} bittet um eine Entscheidung: ${actions}`,
    byRule: (rule, what) => `Durch Regel ${rule}: ${what}`,
  },
  rules: {
    tripped: (rule) => `Regel ${rule} hat zu oft eingegriffen`,
    trippedWhy: (times, minutes, mode) =>
      `${times}-mal innerhalb von ${minutes} Min., das ist ihr Limit. Sie ist jetzt im Modus ${mode} und greift nicht mehr von selbst ein.`,
    trippedNext: "Prüfe ihre Aktionen (/rule show) und lass sie dann mit /rule mode wieder eingreifen",
    slow: (count) =>
      plural(count, {
        one: "# Regel war zu langsam und ist ausgeschaltet",
        other: "# Regeln waren zu langsam und sind ausgeschaltet",
      }),
    slowNext:
      "Muster mit verschachtelten Wiederholungen sind langsam. Nimm weniger oder einfachere Muster (/rule edit), probier sie mit /rule test aus und schalte die Regel mit /rule mode wieder ein",
    unreadable: (channel) => `In ${channel} greift keine Regel: Die Regeln sind nicht mehr lesbar`,
    unreadableWhy: (version) =>
      `Version ${version} der Regeln wurde mit einer anderen Castellan-Version aktiviert. Die jetzige findet darin Fehler:`,
    unreadableNext: "/rule show hängt die Datei an: Korrigiere sie und lade sie mit /rule import hoch",
    changed: (version) => `Die Regeln wurden geändert: Jetzt gilt Version ${version}`,
    changedBy: (change, who) => `${change} von ${who}`,
    added: (rules) => `Neu: ${rules}`,
    removed: (rules) => `Entfernt: ${rules}`,
    modes: (rules) => `Geändert: ${rules}`,
    changedNext:
      "/rule show history:true zeigt die Versionen, /rule rollback stellt eine frühere wieder her.",
    paused: (channel) => `Regeln in ${channel} angehalten`,
    resumed: (channel) => `Regeln in ${channel} wieder aktiv`,
    lockdownStopped: "⚠️ Der Lockdown dieses Channels blendet so lange nichts aus.",
  },
  strikes: {
    points,
    title: (count, channel) => `${points(count)} in ${channel}`,
    total: (person, total) => `${person} hat jetzt insgesamt ${total}`,
  },

  gap: {
    title: "Möglicherweise fehlen Ereignisse",
    when: (from, until, source) =>
      `Zwischen ${from} und ${until} konnte Castellan dem Hub nicht folgen (${source}).`,
    what: "Mitglieder, Banns, Einladungen und Einschränkungen werden neu eingelesen. Casts und Namen aus dieser Zeit können fehlen, ebenso Antworten auf solche Casts.",
  },
  links: {
    suspended: (channel) => `Verknüpfung ausgesetzt: ${channel}`,
    restored: (channel) => `Verknüpfung wiederhergestellt: ${channel}`,
    bot_role_lost: (channel) => `Castellan moderiert nicht mehr: ${channel}`,
    bot_role_back: (channel) => `Castellan moderiert jetzt: ${channel}`,
    staff_proven: (channel) => `Rechte nachgewiesen: ${channel}`,
    staff_withdrawn: (channel) => `Rechte nicht mehr nachgewiesen: ${channel}`,
  },
  setup: {
    title: "Einstellungen geändert",
    titleIn: (channel) => `Einstellungen geändert: ${channel}`,
  },
  webhook: {
    title: (name) => `Aufrufe des Webhooks ${name} schlagen fehl`,
    since: (time, error) => `Seit ${time} ist jeder Aufruf fehlgeschlagen. ${error}`,
    next: "Fehlgeschlagene Aufrufe werden einen Tag lang wiederholt. /setup webhooks zeigt sie.",
  },
  lockdown: {
    begun: (channel) => `Lockdown: ${channel}`,
    over: (channel) => `Lockdown beendet: ${channel}`,
    expired: "Abgelaufen",
    until: (time) =>
      `Bis ${time} werden Casts von Nichtmitgliedern ausgeblendet. /lockdown end:True beendet den Lockdown vorher.`,
    hid: (casts, unsure) =>
      casts === 0
        ? "Er hat keinen Cast ausgeblendet."
        : [
            plural(casts, {
              one: "Er hat # Cast ausgeblendet, der ausgeblendet bleibt.",
              other: "Er hat # Casts ausgeblendet, die ausgeblendet bleiben.",
            }),
            ...(unsure === 0
              ? []
              : [
                  plural(unsure, { other: "Bei # davon war nicht feststellbar, ob der Autor Mitglied ist." }),
                ]),
          ].join(" "),
  },
  key: {
    titles: {
      refused: "Das Netzwerk lehnt den Schlüssel von Castellan ab",
      ends_soon: "Der Schlüssel von Castellan läuft bald ab",
      ended: "Der Schlüssel von Castellan ist abgelaufen",
      powerless: "Der Schlüssel von Castellan hat keine Berechtigungen",
      gone: "Der Schlüssel von Castellan ist weg",
    },
    answers: (message) => `Antwort des Netzwerks: ${message}`,
    state: (message) => `Meldung zum Schlüssel: ${message}`,
    endsSoon: "Bis dahin arbeitet Castellan wie gewohnt.",
    cannotAct: "Bis das behoben ist, kann Castellan auf Farcaster nichts ausführen.",
    next: (command) => `Wer Castellan betreibt, erfährt mit ${command} mehr`,
  },
  readers: { gone: "Dieser Cast wird nicht mehr angezeigt.", notHere: "Das wird hier nicht angezeigt." },
  unshown: (number) =>
    `Ereignis ${number} konnte nicht angezeigt werden. Die Ursache steht im Log des Programms.`,

  digest: {
    titles: {
      old: (count) => `${count} Ereignisse, die nicht rechtzeitig gepostet werden konnten`,
      flood: (count) => `${count} Ereignisse, die schneller kamen, als sie gepostet werden können`,
      sum: (count) => `${count} Ereignisse`,
    },
    why: {
      old: "Sie sind zusammengefasst, weil sie schon alt sind.",
      flood: "Sie sind zusammengefasst, damit neue Ereignisse nicht warten müssen.",
      sum: "Sie sind zusammengefasst, weil dieser Kanal Zusammenfassungen bekommt (/feed room).",
    },
    period: (from, until) => `Von ${from} bis ${until}.`,
    kinds: {
      names: "Namen",
      records: "Aus- und Einblendungen",
      bans: "Banns",
      restrictions: "Einschränkungen",
      members: "Mitglieder",
      invites: "Einladungen",
      pins: "Pins",
      channel: "Channel",
      casts: "Casts",
      rules: "Regeln",
      reviews: "Prüfungen",
      cases: "Fälle",
      health: "Zustand",
    },
    reviewsOpen: "Es sind noch Prüfungen offen: /review show zeigt sie.",
    lookUp: "Fälle und Mitglieder lassen sich weiterhin nachschlagen.",
    footer: (first, last) => `${first} bis ${last}`,
  },

  cases,
  outcomes,
  bulk,
  review,
  buttons,
};
