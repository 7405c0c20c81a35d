import { createAgo } from "./ago.ts";
import type { Texts } from "./en.ts";
import { createPlural } from "./plurals.ts";
import { posts } from "./posts/es.ts";

const plural = createPlural("es");

/** Spanish, for Spain and Latin America. Readers are addressed as "tú". */
export const es: Texts = {
  locale: "es-ES",
  descriptions: {
    report: "Reporta un cast a la moderación de su canal; nada cambia hasta que ella decida",
    "report:cast": "Qué cast: su enlace, como lo copia la app de Farcaster, o su hash",
    "report:reason": "Qué tiene de malo; lo leerá la moderación",
    appeal: "Pide que se revise tu baneo o tu cast oculto; sin texto, muestra tus apelaciones",
    "appeal:text": "Por qué habría que deshacerlo; lo leerá la moderación",
    "appeal:case": "El número del caso, como C-12, si hay varios",
    "appeal:channel": "El canal del caso, si tienes casos en varios",
    "appeal:user": "Tu propia cuenta de Farcaster, si Castellan no la encuentra: fid o @nombre",
    help: "Qué puedes hacer con Castellan y qué no puede hacer",
    "help:about": "Solo los comandos de este tema, con descripciones",
  },
  topics: {
    People: "Personas",
    Casts: "Casts",
    "The record and the queue": "Registro y revisiones",
    Rules: "Reglas",
    Feeds: "Feeds",
    "Channels and permissions": "Canales y permisos",
  },
  menuNames: { Report: "Reportar a la moderación" },

  help: {
    title: "Castellan: canales de Farcaster, desde aquí",
    click: "Haz clic en un comando para escribirlo.",
    none: "Aquí no puedes usar ninguno de estos comandos.",
    forModerators: (count) =>
      plural(count, {
        one: "Hay otro comando para quienes moderan.",
        other: "Los otros # comandos son para quienes moderan.",
      }),
    becomeModerator:
      "Puedes moderar si eres dueño de un canal de este servidor en Farcaster, o lo moderas allí, y has verificado en Farcaster esta cuenta de Discord, o si el dueño del canal le da permisos en Castellan a uno de tus roles.",
  },

  reports: {
    reasonLabel: "¿Qué tiene de malo? (opcional)",
    sent: "Reportado",
    notSent: "No se ha reportado otra vez",
    first: (channelId) =>
      `La moderación de /${channelId} lo revisará y verá quién lo ha reportado y por qué. No se oculta nada hasta que decida.`,
    joined: (channelId) =>
      `Otras personas también lo han reportado, y tu reporte se ha añadido. No se oculta nada hasta que la moderación de /${channelId} decida.`,
    again: (channelId) =>
      `Ya has reportado este cast. La moderación de /${channelId} aún no ha decidido, así que no se ha añadido nada.`,
    decided: (channelId) => `La moderación de /${channelId} ya lo ha revisado. No se ha añadido nada.`,
    dismissed: (channelId) =>
      `La moderación de /${channelId} ya lo ha revisado y lo ha dejado como está. No se ha añadido nada.`,
    unseen: (channels) =>
      `Castellan no ha visto ningún cast así en los canales de este servidor (${channels}), así que no se ha reportado nada. Copia el enlace del cast en la app de Farcaster y pégalo aquí, o usa Aplicaciones › Reportar a la moderación en una publicación sobre él.`,
    andMore: (channels, count) => `${channels} y ${count} más`,
    deleted: "Quien publicó ese cast lo ha eliminado, así que no hay nada que reportar.",
    hidden: "Ese cast ya está oculto, así que no se ha reportado nada.",
    ignored: (channelId) =>
      `La moderación de /${channelId} ya no acepta reportes tuyos, así que no se ha reportado nada. Habla con ella si crees que es un error.`,
    tooManyOwn: (max, minutes) =>
      `Puedes reportar como máximo ${max} casts por hora; no se ha reportado nada. ${tryAgain(minutes)}`,
    tooMany: (max, minutes) =>
      `Este servidor acepta como máximo ${max} reportes por hora; no se ha reportado nada. ${tryAgain(minutes)}`,
    tooManyRecent: (max, minutes) =>
      `De quienes ya han reportado algo en las últimas 24 horas, este servidor acepta como máximo ${max} reportes por hora; no se ha reportado nada. ${tryAgain(minutes)}`,
  },

  appeals: {
    title: "Tus apelaciones",
    nothingSent: "No se ha enviado nada.",
    canAppeal: "Puedes apelar cada uno de estos una vez: usa /appeal y explica por qué.",
    ban: (channelId) => `Baneo en /${channelId}`,
    hide: (channelId) => `Cast oculto en /${channelId}`,
    which: "¿Cuál quieres apelar?",
    several: "Hay varios. Elige uno con la opción `case`.",
    unknown: "Con esos datos no hay nada que puedas apelar. /appeal muestra lo que puedes apelar.",
    notACase: "Ese no es el número de un caso. Escríbelo como C-12 o 12.",
    none: (fids) =>
      `No hay nada que apelar para ${fids}. ¿Se trata de otra cuenta tuya? Indícala con la opción \`user\`.`,
    unknownAccount: (user) =>
      `Castellan no sabe cuál es la cuenta de Farcaster de ${user}. Primero conecta Discord con tu cuenta de Farcaster.`,
    unknownAccountLive: (user) =>
      `Castellan no sabe cuál es la cuenta de Farcaster de ${user}. Indica tu cuenta con la opción \`user\`. Tiene que haber verificado tu cuenta de Discord.`,
    notVerified: (fid) =>
      `fid ${fid} no ha verificado tu cuenta de Discord, así que no puedes hablar en su nombre. Conecta Discord con esa cuenta en tu app de Farcaster e inténtalo de nuevo.`,
    notVerifiedLive: (fid) =>
      `fid ${fid} no ha verificado tu cuenta de Discord, así que no puedes hablar en su nombre. Conecta Discord con esa cuenta en tu app de Farcaster e inténtalo de nuevo después de un minuto.`,
    sent: "Apelación enviada",
    sentBan: (channelId, number) =>
      `La moderación de /${channelId} revisará tu baneo (${number}). Verá lo que has escrito y quién eres aquí. Nada cambia hasta que decida.`,
    sentHide: (channelId, number) =>
      `La moderación de /${channelId} revisará tu cast oculto (${number}). Verá lo que has escrito y quién eres aquí. Nada cambia hasta que decida.`,
    answerComes:
      "Recibirás la respuesta por mensaje directo si aceptas mensajes de los miembros de este servidor. /appeal también la muestra.",
    notInEffect: "Eso ya no está en vigor, o ya lo has apelado. /appeal muestra cómo va.",
    oneAtATime: (number, channelId) =>
      `Tu apelación sobre ${number} en /${channelId} todavía espera a la moderación. Solo puedes tener una apelación a la vez. No se ha enviado nada.`,
    tooMany: (max) =>
      `Este servidor acepta como máximo ${max} apelaciones por hora; no se ha enviado nada. Inténtalo de nuevo en una hora.`,
  },
  appealedBefore: {
    lifted: (number, channelId) => `Ya has apelado ${number} en /${channelId}, y ese baneo se ha levantado.`,
    shown: (number, channelId) =>
      `Ya has apelado ${number} en /${channelId}, y ese cast se muestra de nuevo.`,
    open: (number, channelId) =>
      `Ya has apelado ${number} en /${channelId}; la moderación aún no ha decidido. No se ha enviado nada.`,
    granted: (number, channelId) =>
      `Ya has apelado ${number} en /${channelId}, y la moderación te ha dado la razón. No se ha enviado nada.`,
    declined: (number, channelId) =>
      `Ya has apelado ${number} en /${channelId}, y la moderación ha decidido dejarlo como está. No se ha enviado nada.`,
  },
  appealStates: {
    open: (what, appealed) => `${what}, apelado ${appealed}: la moderación aún no ha decidido.`,
    granted: (what, appealed, decided) => `${what}, apelado ${appealed}: apelación aceptada ${decided}.`,
    declined: (what, appealed, decided) =>
      `${what}, apelado ${appealed}: apelación rechazada ${decided}; todo sigue igual.`,
    lifted: "Ese baneo se ha levantado.",
    shown: "El cast se muestra de nuevo.",
    unconfirmed: "La red aún no lo ha confirmado.",
  },
  appealAnswers: {
    granted: "Tu apelación ha sido aceptada",
    declined: "Tu apelación ha sido rechazada",
    ban: (channelId, number) => `La moderación ha revisado de nuevo tu baneo de /${channelId} (${number}).`,
    hide: (channelId, number) =>
      `La moderación ha revisado de nuevo tu cast oculto en /${channelId} (${number}).`,
    banLifted: "El baneo se ha levantado. Para volver a ser miembro necesitas una nueva invitación.",
    castShown: "El cast se muestra de nuevo.",
    banStays: "El baneo se mantiene.",
    castStays: "El cast sigue oculto.",
    replacesEarlier: "Esto sustituye a una respuesta anterior.",
    footer: (number, answer) => `Apelación ${number}, respuesta ${answer}`,
  },
  notices: {
    ban: (channelId) => `Te han baneado de /${channelId}`,
    hide: (channelId) => `Han ocultado un cast tuyo en /${channelId}`,
    noReason: "no se ha indicado el motivo",
    permanent: "de forma permanente",
    untilShown: "hasta que la moderación lo muestre de nuevo",
    footer: (number, channelId, key) => `Caso ${number} en /${channelId}, ${key}`,
  },

  typed: {
    unknownCast: (link) =>
      `Cast desconocido. Pega su enlace, que puedes copiar en la app de Farcaster al compartir el cast (\`${link}\`). También sirve su hash (0x y 40 caracteres).`,
    severalCasts: (hash) => `Varios casts empiezan por ${hash}. Indica el hash completo.`,
    unseenCast: (hash) =>
      `Castellan no ha visto ningún cast cuyo hash empiece por ${hash}. Copia el enlace otra vez o indica el hash completo.`,
    unusedName: (name) =>
      `Nadie tiene ahora el nombre ${name}. Escribe otro nombre, o el fid (por ejemplo, fid 7).`,
    unknownUser: (link) =>
      `Usuario desconocido. Escribe un fid solo con cifras (7), un nombre (@alice) o un enlace de perfil (\`${link}\`).`,
    unclearUser: (typed, link) =>
      `${typed} se puede leer de varias formas. Escribe un fid solo con cifras (7), un nombre (@alice) o un enlace de perfil (\`${link}\`), un usuario cada vez.`,
    notAChannel: "Eso no es un canal. Indica su id, por ejemplo memes, o su enlace.",
  },
  cast: posts.cast.parts,
  ago: createAgo("es"),
  suggested: (who, ago) => `${who}, ${ago}: `,
  suggestedIn: (who, channelId, ago) => `${who} en /${channelId}, ${ago}: `,
  andMore: (count) => `… y ${count} más`,

  links: {
    none: "Este servidor aún no está vinculado a ningún canal. Quien sea dueño o moderador de un canal y tenga aquí «Gestionar servidor» puede vincularlo con /setup link.",
    noneWorks: "Ahora mismo no funciona ningún vínculo de este servidor con un canal. Avisa a la moderación.",
    ended: (channelId) => `Este servidor ya no está vinculado a /${channelId}. No se ha enviado nada.`,
  },

  menus: {
    noCast: "Este mensaje no trata de ningún cast que Castellan conozca.",
    whichOne: "¿Cuál?",
    chooseOne: "Este mensaje menciona más de uno. Elige uno.",
    typeAnother: (question, count) => `${question} (Hay ${count} más, que puedes escribir.)`,
  },
  outdated: {
    buttons: "Estos botones son demasiado antiguos. No se ha hecho nada; vuelve a usar el comando.",
    buttonsOfEarlier:
      "Estos botones son de una versión anterior. No se ha hecho nada; vuelve a usar el comando.",
    button: "Este botón es de una versión anterior. Vuelve a usar el comando.",
    menu: "Este menú es de una versión anterior. Vuelve a usar el comando.",
    form: "Este formulario es de una versión anterior. Vuelve a usar el comando.",
    answer: "Esa respuesta ha caducado. Vuelve a usar el comando.",
    command: (path) => `El comando /${path} ya no existe.`,
    menuCommand: "Este comando del menú ya no existe.",
    notYours: "Estos botones son de la persona que usó el comando.",
    answered: "Esto ya se ha respondido. /case show muestra el resultado.",
  },
  errors: {
    failed: (id) =>
      `Algo ha salido mal (${id}). Quien administra Castellan puede encontrar la causa en el registro con este código.`,
    unshownFailure: (id) =>
      `No ha funcionado, y Discord ha rechazado el mensaje con el motivo. Quien administra Castellan puede encontrar el error en el registro con este código: ${id}.`,
    unshown: (id) =>
      `Discord ha rechazado la respuesta. El comando sí se ha ejecutado: compruébalo antes de repetirlo. Quien administra Castellan puede encontrar el error en el registro con este código: ${id}.`,
    unstorable:
      "No se ha hecho nada, porque el texto contiene U+0000 o medio carácter. Escríbelo de nuevo sin eso.",
    onlyInServers: "Castellan solo funciona en servidores, no en mensajes directos.",
    slow: "La red va ahora demasiado lenta para un formulario. Inténtalo de nuevo en un momento.",
  },
  stillWorking:
    "Sigue en proceso. Discord acepta respuestas solo durante 15 minutos, así que el resultado se publicará en este canal. Solo tú podrás abrirlo.",
  posts,
};

function tryAgain(minutes: number): string {
  const wait = plural(minutes, { one: "un minuto", other: "# minutos" });
  return `Inténtalo de nuevo en ${wait}, o habla directamente con la moderación.`;
}
