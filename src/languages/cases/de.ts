import { createPlural } from "../plurals.ts";
import type { PostTexts } from "../posts/en.ts";

const plural = createPlural("de");
const casts = (count: number) => plural(count, { one: "# Cast", other: "# Casts" });
const bans = (count: number) => plural(count, { one: "# Bann", other: "# Banns" });
const members = (count: number) => plural(count, { one: "# Mitglied", other: "# Mitglieder" });
const users = (count: number) => plural(count, { one: "# Konto", other: "# Konten" });

export const cases: PostTexts["cases"] = {
  title: (number, kind, state) => `Fall ${number}: ${kind} – ${state}`,
  kinds: {
    hide: "Ausblenden",
    unhide: "Einblenden",
    ban: "Bann",
    unban: "Bann aufheben",
    change_expiry: "Banndauer ändern",
    invite: "Einladung",
    revoke_invite: "Einladung zurückziehen",
    remove_member: "Mitglied entfernen",
    pin: "Anpinnen",
    unpin: "Pin entfernen",
  },
  states: {
    requested: "angefordert",
    applied: "ausgeführt",
    already: "war schon so",
    failed: "fehlgeschlagen",
    outside: "außerhalb von Castellan",
    reverted: "rückgängig gemacht",
  },
  done: {
    hide: "Cast ausgeblendet",
    unhide: "Cast wieder eingeblendet",
    ban: "gebannt",
    unban: "Bann aufgehoben",
    change_expiry: "Banndauer geändert",
    invite: "eingeladen",
    revoke_invite: "Einladung zurückgezogen",
    remove_member: "als Mitglied entfernt",
    pin: "Cast angepinnt",
    unpin: "Cast nicht mehr angepinnt",
  },
  doneMany: { hide: "Casts ausgeblendet", unhide: "Casts wieder eingeblendet" },
  counted: {
    hide: (count) => `${casts(count)} ausgeblendet`,
    unhide: (count) => `${casts(count)} wieder eingeblendet`,
    ban: (count) => `${users(count)} gebannt`,
    unban: (count) => `${bans(count)} aufgehoben`,
    change_expiry: (count) => `Dauer von ${bans(count)} geändert`,
    invite: (count) => `${users(count)} eingeladen`,
    revoke_invite: (count) =>
      plural(count, { one: "# Einladung zurückgezogen", other: "# Einladungen zurückgezogen" }),
    remove_member: (count) => `${members(count)} entfernt`,
    pin: (count) => `${casts(count)} angepinnt`,
    unpin: (count) => `${casts(count)} nicht mehr angepinnt`,
  },
  results: {
    underWay: (kind) => `${kind} – läuft`,
    failed: (kind, why) => `${kind} – fehlgeschlagen: ${why}`,
    noReason: "Grund unbekannt",
    already: (done) => `${done} (war schon so)`,
    ended: (done, ending) => `${done}, ${ending}`,
    until: (done, time, relative) => `${done} bis ${time} (${relative})`,
  },
  against: {
    nothing: "nichts",
    ban: bans,
    hide: (count) => plural(count, { one: "# ausgeblendeter Cast", other: "# ausgeblendete Casts" }),
    remove_member: (count) => `${count}-mal als Mitglied entfernt`,
  },
};

export const bulk: PostTexts["bulk"] = {
  gone: "Eine Sammelaktion",
  goneWhy: "Sie wurde inzwischen gelöscht, oder dieser Kanal folgt ihren Channels nicht mehr.",
  kinds: {
    hide: "Ausblenden",
    unhide: "Einblenden",
    ban: "Bannen",
    unban: "Banns aufheben",
    invite: "Einladen",
    undo: "Rückgängig machen",
  },
  states: { underWay: "läuft", done: "fertig", stopped: "abgebrochen" },
  channels: (count) => plural(count, { one: "# Channel", other: "# Channels" }),
  stoppedBy: (who) => `Abgebrochen von ${who}.`,
  selectedBy: (selection, who, time) => `Auswahl: ${selection} · von ${who} ${time}`,
  undone: (numbers) => `Rückgängig gemacht durch ${numbers}.`,
  partlyUndone: (numbers) => `Teilweise rückgängig gemacht durch ${numbers}.`,
  oneCase: (number) => `Fall ${number} · /case show zeigt ihn, /undo macht ihn rückgängig`,
  cases: (first, last) => `Fälle ${first}–${last} · /case show zeigt sie, /undo macht sie rückgängig`,
  bans,
  already: (count) => plural(count, { one: "# war schon so", other: "# waren schon so" }),
  failed: (count) => `${count} fehlgeschlagen`,
  undoneSince: (count) => `${count} inzwischen rückgängig gemacht`,
  allUndone: "alle inzwischen rückgängig gemacht",
  soFar: (done, total) => `Bisher ${done} von ${total}.`,
  continues: (time) =>
    `Es geht erst ${time} weiter: Das Netzwerk begrenzt die Aufrufe oder hat nicht geantwortet.`,
  failure: (number, target, why) => `✖ ${number} ${target}: ${why}`,
  failureIn: (number, channelId, target, why) => `✖ ${number} in /${channelId} ${target}: ${why}`,
  failedOnly: "fehlgeschlagen",
};

export const review: PostTexts["review"] = {
  title: (number, queue, channels) => `Prüfung ${number} · ${queue} · ${channels}`,
  appeal: (number, channels) => `Einspruch ${number} · ${channels}`,
  gone: (number) => `Prüfung ${number}`,
  goneWhy: "Sie wurde inzwischen gelöscht.",
  held: (time) => `vorgelegt ${time}`,
  sent: (time) => `eingelegt ${time}`,
  earlier: (cases, points) => `Bisher: ${cases} · ${points}`,
  appealsBan: (user, number, channelId) =>
    `${user} legt Einspruch gegen den Bann ein: Fall **${number}** in /${channelId}`,
  appealsHide: (user, number, channelId) =>
    `${user} legt Einspruch gegen das Ausblenden eines Casts ein: Fall **${number}** in /${channelId}`,
  did: (appeal, who, time) => `${appeal}, ${who} ${time}`,
  fromOutside: "außerhalb von Castellan",
  noLongerInForce: "**Die Maßnahme gilt nicht mehr.**",
  grantingWould: (actions) => `Wird stattgegeben, passiert Folgendes: ${actions}`,
  version: (rule, version) => `Regel ${rule}, Version ${version}`,
  onlyReview: "Die Regel bittet nur um eine Prüfung.",
  approveWould: (actions) => `„Genehmigen“ bewirkt: ${actions}`,
  ruleWanted: (actions) => `Die Regel wollte: ${actions}`,
  reportedBy: (count) =>
    plural(count, { one: "Von # Mitglied gemeldet.", other: "Von # Mitgliedern gemeldet." }),
  aMember: "Ein Mitglied",
  report: (who, reason) => `- ${who}: ${reason}`,
  withoutReason: "kein Grund angegeben",
  moreReports: (count) =>
    `- und ${plural(count, { one: "# weitere Meldung", other: "# weitere Meldungen" })}`,
  whoReported: (command) => `${command} zeigt allen, die darüber entscheiden dürfen, wer gemeldet hat.`,
  decided: {
    approved: (who) => `Genehmigt von ${who}.`,
    hidden: (who) => `Ausgeblendet von ${who}.`,
    banned: (who) => `Gebannt von ${who}.`,
    dismissed: (who) => `Verworfen von ${who}, es wurde nichts unternommen.`,
  },
  granted: (who) => `Stattgegeben von ${who}.`,
  declined: (who) => `Abgelehnt von ${who}.`,
  inChannels: (channels, outcome) => `${channels}: ${outcome}`,
  undoneBy: (user) => `Eine frühere Entscheidung wurde von ${user} rückgängig gemacht.`,
  leftToOwner: (user) => `${user} überlässt die Entscheidung dem Besitzer des Channels.`,
  claimedBy: (user) => `${user} kümmert sich darum.`,
  open: "Offen.",
  caseIn: (number, channel) => `${number} in ${channel}`,
  hiddenAlready: (cases) => `Der Cast ist schon ausgeblendet: ${cases}.`,
  bannedAlready: (cases) => `Der Autor ist schon gebannt: ${cases}.`,
  waiting: (count, channel) =>
    `${plural(count, { one: "# Prüfung wartet", other: "# Prüfungen warten" })} auf eine Entscheidung: ${channel}`,
  oldest: (time) => `Die älteste kam ${time}. /review show zeigt sie.`,
  escalated: (number, channel) => `${number} ist dem Besitzer überlassen: ${channel}`,
  queue: (queue) => `Warteschlange ${queue}`,
  ownerDecides: (number) =>
    `Es entscheidet der Besitzer des Channels oder ein Mitglied, das hier „Server verwalten“ hat: /review show ${number}`,
};

export const outcomes: PostTexts["outcomes"] = {
  anotherServer: "ein anderer Server",
  case: (number) => `Fall ${number}`,
  permanent: "dauerhaft",
  until: (time) => `bis ${time}`,
  expiryChanged: "Die Banndauer wurde geändert.",
  sameExpiry: "Der Bann hatte schon diese Dauer.",
  end_changed: (end, before) => `Der Bann gilt jetzt ${end}, vorher ${before}.`,
  end_unchanged: (end) => `Nichts geändert: wie bisher ${end}.`,
  not_banned: "Nichts geändert: Das Konto ist nicht mehr gebannt.",
  banned_longer: (holder) => `Nicht aufgehoben, denn ${holder} bannt das Konto länger.`,
  notUndone: (why) => `Nicht rückgängig gemacht, denn ${why}.`,
  standsBy: (holder) => `${holder} hat dasselbe bewirkt, und das gilt noch`,
  endsAll: {
    ban: (why) => `${why} (/undo mit der Person hebt den Bann auf, egal wer ihn verhängt hat)`,
    hide: (why) => `${why} (/undo mit dem Cast blendet ihn wieder ein, egal wer ihn ausgeblendet hat)`,
  },
  nothing_to_undo: (holder) => `Nicht rückgängig gemacht, denn ${holder} hat nichts geändert.`,
  server_left: "Nicht ausgeführt: Castellan wurde vorher vom Server entfernt.",
  rules_paused: "Nicht ausgeführt: Die Regeln wurden vorher angehalten.",
  bulk_stopped: "Nicht ausgeführt: Die Sammelaktion wurde vorher abgebrochen.",
  link_removed: "Nicht ausgeführt: Als es so weit war, war der Server nicht mehr mit dem Channel verknüpft.",
  link_suspended: "Nicht ausgeführt: Als es so weit war, war die Verknüpfung mit dem Channel ausgesetzt.",
  changed_since:
    "Das Netzwerk hat nicht geantwortet, und inzwischen hat jemand etwas daran geändert. Castellan wiederholt es nicht: Sieh im Channel nach.",
  no_response: (minutes) =>
    `Das Netzwerk war ${minutes} Minuten lang nicht erreichbar, deshalb hat Castellan aufgegeben. Sieh im Channel nach, bevor du es noch einmal versuchst.`,
  refused: (message) => `Das Netzwerk hat abgelehnt: ${message}`,
  limit_reached: (minutes) =>
    `Das Kontingent des Channels dafür ist aufgebraucht. In etwa ${minutes} Min. ist wieder etwas frei.`,
  rejections: {
    not_permitted: "Das Netzwerk erlaubt Castellan das nicht. Moderiert Castellan den Channel noch?",
    not_owner: "Das darf nur der Besitzer des Channels.",
    cannot_ban_owner: "Der Besitzer eines Channels kann nicht gebannt werden.",
    cannot_ban_moderator: "Nur der Besitzer kann Moderatoren bannen.",
    cannot_remove_owner: "Der Besitzer eines Channels kann nicht entfernt werden.",
    banned_from_channel: "Das Konto ist im Channel gebannt: Hebe zuerst den Bann auf.",
    invitee_not_following:
      "Das Konto folgt weder dem Channel noch dem Konto von Castellan; für eine Einladung ist eines von beiden nötig.",
    invitee_not_member: "Nur Mitglieder können Moderator werden.",
    too_many_moderators:
      "Der Channel hat schon zehn Moderatoren, offene Einladungen mitgezählt. Mehr geht nicht.",
    cast_not_in_channel: "Der Cast ist in keinem Channel, den Castellan moderiert.",
    not_found: "Das Netzwerk kennt diesen Channel oder Cast nicht. Vielleicht wurde der Cast gelöscht.",
    invalid_auth_token:
      "Das Netzwerk akzeptiert den Schlüssel von Castellan nicht. Wer Castellan betreibt, muss ihn erneuern.",
  },
};

export const buttons: PostTexts["buttons"] = {
  hide: "Ausblenden",
  banAuthor: "Autor bannen",
  ban: "Bannen",
  history: "Verlauf",
  inviteAgain: "Wieder einladen",
  inviteThemAgain: "Alle wieder einladen",
  lift: "Aufheben",
  endLockdown: "Beenden",
  resume: "Fortsetzen",
  block: "Auf die Sperrliste…",
  undo: "Rückgängig",
  undoKind: (kind) => `Rückgängig: ${kind}`,
  undoCase: (kind, number) => `Rückgängig: ${kind} ${number}`,
  undoAll: "Alles rückgängig",
  why: "Warum",
  stop: "Abbrechen",
  showAll: "Alle zeigen",
  showAgain: "Wieder einblenden",
  keep: "Beibehalten",
  approve: "Genehmigen",
  dismiss: "Verwerfen",
  claim: "Übernehmen",
  release: "Übernahme beenden",
  leaveToOwner: "Dem Besitzer überlassen",
};
