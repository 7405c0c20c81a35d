import { bulk, buttons, cases, outcomes, review } from "../cases/es.ts";
import { createPlural } from "../plurals.ts";
import type { PostTexts } from "./en.ts";

const plural = createPlural("es");
const points = (count: number) => plural(count, { one: "# punto de sanción", other: "# puntos de sanción" });

/** Spanish, for moderators, who are addressed as "tú" where needed. After "por" a rule takes an article, a person does not. */
export const posts: PostTexts = {
  locale: "es-ES",

  someone: "alguien desconocido",
  network: "la red",
  doers: {
    operator: "quien administra Castellan",
    token: (token, user) => `${user} (token de API ${token})`,
  },
  by: (who) => `por ${who}`,
  byRule: (rule) => `por la regla ${rule}`,
  rule: (rule) => `regla ${rule}`,
  author: (person) => `Autor: ${person}`,
  reason: (reason) => `Motivo: ${reason}`,
  until: (time, relative) => `Hasta el ${time} (${relative}).`,
  untilTime: (time) => `Hasta el ${time}.`,
  actors: {
    unknown: "fuera de Castellan",
    otherServer: "por Castellan, para otro servidor",
    rule: (rule, number) => `por la regla ${rule} · caso ${number}`,
    castellan: (number) => `por Castellan · caso ${number}`,
    outside: (number) => `fuera de Castellan · caso ${number}`,
    person: (who, number) => `por ${who} · caso ${number}`,
  },
  endings: {
    expired: "ha expirado",
    since: "se deshizo después",
    outside: (number) => `deshecho fuera de Castellan, ${number}`,
    castellan: (number) => `deshecho por ${number}`,
    person: (who, number) => `deshecho por ${who}, ${number}`,
  },
  over: (ending) => `**${ending}.**`,

  andMore: (names, count) => `${names} y ${count} más`,
  moreRules: (count) => `… y ${plural(count, { one: "# regla más", other: "# reglas más" })}`,
  moreCasts: (count) => `… y ${plural(count, { one: "# cast más", other: "# casts más" })}`,
  moreFailed: (count) => `… y ${plural(count, { one: "# fallo más", other: "# fallos más" })}`,

  cast: {
    hash: (hash) => `Cast ${hash}`,
    link: "en la red",
    at: (link) => `El cast ${link}`,
    inOneLine: (text) => `El cast: ${text}`,
    shown: {
      mentions: (names) => `Menciona: ${names}`,
      quotes: (hashes) => `Cita: ${hashes}`,
      picture: (address) => `Imagen: ${address}`,
      video: (address) => `Vídeo: ${address}`,
      link: (address) => `Enlace: ${address}`,
      moreEmbeds: (count) =>
        plural(count, { one: "y # elemento incrustado más", other: "y # elementos incrustados más" }),
    },
    parts: {
      noText: "(sin texto)",
      picture: "(imagen)",
      video: "(vídeo)",
      link: "(enlace)",
      quote: "(cita un cast)",
    },
    erased: "(borrado a petición de su autor)",
  },

  names: {
    titles: {
      registered: (name) => `Nombre registrado: ${name}`,
      transferred: (name) => `Nombre transferido: ${name}`,
      released: (name) => `Nombre liberado: ${name}`,
      replaced: (name) => `Nombre reemplazado: ${name}`,
      renewed: (name) => `Prueba de nombre renovada: ${name}`,
    },
    registered: (name, fid) => `${name} pertenece ahora a fid ${fid}.`,
    transferred: (name, from, to) => `${name} ha pasado de fid ${from} a fid ${to}.`,
    released: (name) => `${name} vuelve a estar libre.`,
    releasedBy: (name, fid) => `${name} vuelve a estar libre; era de fid ${fid}.`,
    renewed: (name, fid) => `fid ${fid} ha renovado la prueba de ${name}.`,
    replaced: (name, fid, before) => `fid ${fid} es ahora ${name} en lugar de ${before}.`,
  },
  titles: {
    cast: (channel) => `Cast en ${channel}`,
    reply: (channel) => `Respuesta en ${channel}`,
    castRemoved: (channel) => `Cast eliminado en ${channel}`,
    hidden: (channel) => `Cast oculto en ${channel}`,
    shown: (channel) => `Cast visible de nuevo en ${channel}`,
    banned: (channel) => `Baneo en ${channel}`,
    banOver: (channel) => `Fin del baneo en ${channel}`,
    banLifted: (channel) => `Baneo levantado en ${channel}`,
    restricted: (channel) => `Restricción en ${channel}`,
    unrestricted: (channel) => `Fin de la restricción en ${channel}`,
    joined: (channel) => `Nuevo miembro en ${channel}`,
    left: (channel) => `Ya no es miembro de ${channel}`,
    removed: (channel) => `Miembro expulsado de ${channel}`,
    invited: (channel) => `Invitación para unirse a ${channel}`,
    invitedToModerate: (channel) => `Invitación para moderar ${channel}`,
    inviteEnded: (channel) => `Invitación cerrada en ${channel}`,
    pinned: (channel) => `Cast fijado en ${channel}`,
    unpinned: (channel) => `Cast desfijado en ${channel}`,
    edited: (channel) => `Se ha editado ${channel}`,
  },
  removedAt: (time) => `eliminado ${time}`,
  becameMember: (person, time) => `${person} se hizo miembro ${time}`,
  leftOrRemoved: "salió por su cuenta o por decisión de otros",
  onlyByInvite: "Solo puede volver a unirse con una invitación.",
  bannedInstead: "En su lugar, ahora hay un baneo.",
  invitedBy: (person) => `Invitación de ${person}.`,
  inviteEnded: {
    member: (person) => `${person} ha respondido a la invitación para ser miembro, o alguien la ha retirado`,
    moderator: (person) => `${person} ha respondido a la invitación para moderar, o alguien la ha retirado`,
  },
  edited: (fields) => `Cambios: ${fields}`,
  fields: {
    name: "nombre",
    address: "dirección",
    description: "descripción",
    picture: "imagen",
    "header picture": "imagen de cabecera",
    owner: "dueño",
    moderators: "moderadores",
    "who may cast": "quién puede publicar casts",
    link: "enlace",
  },
  followers: {
    left: "Ya no es miembro.",
    restricted: "Restricción: solo puede volver a unirse con una invitación.",
    unrestricted: "Ya no tiene restricción.",
    accepted: {
      member: "Ha aceptado la invitación para ser miembro.",
      moderator: "Ha aceptado la invitación para moderar.",
    },
    inviteEnded: {
      member: "Su invitación para ser miembro se ha cerrado.",
      moderator: "Su invitación para moderar se ha cerrado.",
    },
    strikes: (added, total) => `${points(added)}, ahora ${total} en total.`,
  },

  hits: {
    headline: (what, who) => `${what}: ${who}`,
    place: (person, channel) => `${person} en ${channel}`,
    rules: (ids) => `reglas ${ids}`,
    acting: (rules) => `acción en curso (${rules})`,
    couldNotAct: (rules) => `no se ha podido actuar (${rules})`,
    shadow: (rules) => `coincidencia en modo sombra (${rules})`,
    hit: (rules) => `coincidencia (${rules})`,
    times: (actions, count) => `${actions} (${count} veces)`,
    nothing: "ninguna acción",
    wouldDo: (rule, actions) => `La regla ${rule} está en modo sombra. Sus acciones serían: ${actions}.`,
    doNothing: "ninguna",
    asks: (rule, actions) => `La regla ${rule} pide una decisión: ${actions}`,
    byRule: (rule, what) => `Por la regla ${rule}: ${what}`,
  },
  rules: {
    tripped: (rule) => `La regla ${rule} ha actuado demasiadas veces`,
    trippedWhy: (times, minutes, mode) =>
      `${plural(times, { one: "# vez", other: "# veces" })} en ${minutes} min, que es su límite. Ahora está en modo ${mode} y ya no actúa por sí sola.`,
    trippedNext: "Revisa sus acciones (/rule show) y después deja que vuelva a actuar con /rule mode",
    slow: (count) =>
      plural(count, {
        one: "# regla ha tardado demasiado y está desactivada",
        other: "# reglas han tardado demasiado y están desactivadas",
      }),
    slowNext:
      "Los patrones con repeticiones anidadas son lentos. Usa menos patrones o más simples (/rule edit), pruébalos con /rule test y vuelve a activar la regla con /rule mode",
    unreadable: (channel) => `Ninguna regla actúa en ${channel}: las reglas ya no se pueden leer`,
    unreadableWhy: (version) =>
      `La versión ${version} de las reglas se activó con otra versión de Castellan. La versión actual de Castellan encuentra errores en ellas:`,
    unreadableNext: "/rule show adjunta el archivo: corrígelo y súbelo con /rule import",
    changed: (version) => `Las reglas han cambiado: la versión ${version} está en vigor`,
    changedBy: (change, who) => `${change} por ${who}`,
    added: (rules) => `Nuevas: ${rules}`,
    removed: (rules) => `Eliminadas: ${rules}`,
    modes: (rules) => `Modificadas: ${rules}`,
    changedNext: "/rule show history:true muestra las versiones, /rule rollback recupera una anterior.",
    paused: (channel) => `Reglas en pausa en ${channel}`,
    resumed: (channel) => `Reglas reanudadas en ${channel}`,
    lockdownStopped: "⚠️ Mientras tanto, el bloqueo del canal de Farcaster no oculta nada.",
  },
  strikes: {
    points,
    title: (count, channel) => `${points(count)} en ${channel}`,
    total: (person, total) => `${person} tiene ahora ${total} en total`,
  },

  gap: {
    title: "Puede que falten eventos",
    when: (from, until, source) =>
      `Entre el ${from} y el ${until}, Castellan no ha podido seguir el hub (${source}).`,
    what: "Se están leyendo de nuevo los miembros, baneos, invitaciones y restricciones. Pueden faltar casts y nombres de ese periodo, y también las respuestas a esos casts.",
  },
  links: {
    suspended: (channel) => `Vínculo suspendido: ${channel}`,
    restored: (channel) => `Vínculo restablecido: ${channel}`,
    bot_role_lost: (channel) => `Castellan ya no modera ${channel}`,
    bot_role_back: (channel) => `Castellan ahora modera ${channel}`,
    staff_proven: (channel) => `Permisos acreditados: ${channel}`,
    staff_withdrawn: (channel) => `Permisos ya no acreditados: ${channel}`,
  },
  setup: {
    title: "Configuración modificada",
    titleIn: (channel) => `Configuración modificada: ${channel}`,
  },
  webhook: {
    title: (name) => `No se puede llamar al webhook ${name}`,
    since: (time, error) => `Desde el ${time} han fallado todas las llamadas. ${error}`,
    next: "Las llamadas se reintentan durante un día. /setup webhooks las muestra.",
  },
  lockdown: {
    begun: (channel) => `Bloqueo: ${channel}`,
    over: (channel) => `Fin del bloqueo: ${channel}`,
    expired: "Ha expirado",
    until: (time) =>
      `Hasta el ${time} se ocultan los casts de quienes no son miembros. /lockdown end:True termina el bloqueo antes.`,
    hid: (casts, unsure) =>
      casts === 0
        ? "El bloqueo no ocultó ningún cast."
        : [
            plural(casts, {
              one: "El bloqueo ocultó # cast, que sigue oculto.",
              other: "El bloqueo ocultó # casts, que siguen ocultos.",
            }),
            ...(unsure === 0 ? [] : [`Ocultos sin poder comprobar si el autor es miembro: ${unsure}.`]),
          ].join(" "),
  },
  key: {
    titles: {
      refused: "La red rechaza la clave de Castellan",
      ends_soon: "La clave de Castellan expira pronto",
      ended: "La clave de Castellan ha expirado",
      powerless: "La clave de Castellan no tiene permisos",
      gone: "La clave de Castellan ya no existe",
    },
    answers: (message) => `La red responde: ${message}`,
    state: (message) => `Estado de la clave: ${message}`,
    endsSoon: "Hasta entonces, Castellan actúa como siempre.",
    cannotAct: "Mientras tanto, Castellan no puede actuar en Farcaster.",
    next: (command) => `Quien administra Castellan puede ejecutar ${command} para ver los detalles`,
  },
  readers: { gone: "Este cast ya no se muestra.", notHere: "Esto no se muestra aquí." },
  unshown: (number) =>
    `El evento ${number} no se ha podido mostrar. La causa está en el registro del programa.`,

  digest: {
    titles: {
      old: (count) => `${count} eventos que no se pudieron publicar a tiempo`,
      flood: (count) => `${count} eventos que llegaron más rápido de lo que se pueden publicar`,
      sum: (count) => `${count} eventos`,
    },
    why: {
      old: "Se resumen porque ya son antiguos.",
      flood: "Se resumen para que los eventos nuevos no tengan que esperar.",
      sum: "Se resumen porque este canal recibe resúmenes (/feed room).",
    },
    period: (from, until) => `Del ${from} al ${until}.`,
    kinds: {
      names: "nombres",
      records: "casts ocultos o visibles de nuevo",
      bans: "baneos",
      restrictions: "restricciones",
      members: "miembros",
      invites: "invitaciones",
      pins: "casts fijados o desfijados",
      channel: "cambios del canal",
      casts: "casts",
      rules: "reglas",
      reviews: "revisiones",
      cases: "casos",
      health: "estado de Castellan",
    },
    reviewsOpen: "Las revisiones siguen abiertas: /review show las muestra.",
    lookUp: "Los casos y los miembros se pueden seguir consultando.",
    footer: (first, last) => `${first} a ${last}`,
  },

  cases,
  outcomes,
  bulk,
  review,
  buttons,
};
