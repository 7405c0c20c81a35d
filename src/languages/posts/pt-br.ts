import { bulk, buttons, cases, outcomes, review } from "../cases/pt-br.ts";
import { createPlural } from "../plurals.ts";
import type { PostTexts } from "./en.ts";

const plural = createPlural("pt-BR");
const points = (count: number) =>
  plural(count, { one: "# ponto de advertência", other: "# pontos de advertência" });

/** Brazilian Portuguese, for moderators ("você"). After "por" a rule takes an article, a person does not. */
export const posts: PostTexts = {
  locale: "pt-BR",

  someone: "alguém desconhecido",
  network: "toda a rede",
  doers: {
    operator: "quem administra o Castellan",
    token: (token, user) => `${user} (token de API ${token})`,
  },
  by: (who) => `por ${who}`,
  byRule: (rule) => `pela regra ${rule}`,
  rule: (rule) => `regra ${rule}`,
  author: (person) => `Autor: ${person}`,
  reason: (reason) => `Motivo: ${reason}`,
  until: (time, relative) => `Até ${time} (${relative}).`,
  untilTime: (time) => `Até ${time}.`,
  actors: {
    unknown: "fora do Castellan",
    otherServer: "pelo Castellan, para outro servidor",
    rule: (rule, number) => `pela regra ${rule} · caso ${number}`,
    castellan: (number) => `pelo Castellan · caso ${number}`,
    outside: (number) => `fora do Castellan · caso ${number}`,
    person: (who, number) => `por ${who} · caso ${number}`,
  },
  endings: {
    expired: "expirou",
    since: "desfeito depois",
    outside: (number) => `desfeito fora do Castellan, ${number}`,
    castellan: (number) => `desfeito por ${number}`,
    person: (who, number) => `desfeito por ${who}, ${number}`,
  },
  over: (ending) => `**${ending}.**`,

  andMore: (names, count) => `${names} e mais ${count}`,
  moreRules: (count) => `… e ${plural(count, { one: "mais # regra", other: "mais # regras" })}`,
  moreCasts: (count) => `… e ${plural(count, { one: "mais # cast", other: "mais # casts" })}`,
  moreFailed: (count) => `… e ${plural(count, { one: "mais # falha", other: "mais # falhas" })}`,

  cast: {
    hash: (hash) => `Cast ${hash}`,
    link: "na rede",
    at: (link) => `O cast ${link}`,
    inOneLine: (text) => `O cast: ${text}`,
    shown: {
      mentions: (names) => `Menciona: ${names}`,
      quotes: (hashes) => `Cita: ${hashes}`,
      picture: (address) => `Imagem: ${address}`,
      video: (address) => `Vídeo: ${address}`,
      link: (address) => `Link: ${address}`,
      moreEmbeds: (count) =>
        plural(count, { one: "e mais # item incorporado", other: "e mais # itens incorporados" }),
    },
    parts: {
      noText: "(sem texto)",
      picture: "(imagem)",
      video: "(vídeo)",
      link: "(link)",
      quote: "(cita um cast)",
    },
    erased: "(apagado a pedido do autor)",
  },

  names: {
    titles: {
      registered: (name) => `Nome registrado: ${name}`,
      transferred: (name) => `Nome transferido: ${name}`,
      released: (name) => `Nome liberado: ${name}`,
      replaced: (name) => `Nome substituído: ${name}`,
      renewed: (name) => `Prova de nome renovada: ${name}`,
    },
    registered: (name, fid) => `${name} agora pertence a fid ${fid}.`,
    transferred: (name, from, to) => `${name} passou de fid ${from} para fid ${to}.`,
    released: (name) => `${name} está livre de novo.`,
    releasedBy: (name, fid) => `${name} está livre de novo; era de fid ${fid}.`,
    renewed: (name, fid) => `fid ${fid} renovou a prova de ${name}.`,
    replaced: (name, fid, before) => `fid ${fid} agora é ${name} em vez de ${before}.`,
  },
  titles: {
    cast: (channel) => `Cast em ${channel}`,
    reply: (channel) => `Resposta em ${channel}`,
    castRemoved: (channel) => `Cast apagado em ${channel}`,
    hidden: (channel) => `Cast oculto em ${channel}`,
    shown: (channel) => `Cast visível de novo em ${channel}`,
    banned: (channel) => `Banimento em ${channel}`,
    banOver: (channel) => `Fim do banimento em ${channel}`,
    banLifted: (channel) => `Banimento removido em ${channel}`,
    restricted: (channel) => `Restrição em ${channel}`,
    unrestricted: (channel) => `Fim da restrição em ${channel}`,
    joined: (channel) => `Novo membro em ${channel}`,
    left: (channel) => `Não é mais membro de ${channel}`,
    removed: (channel) => `Membro removido de ${channel}`,
    invited: (channel) => `Convite para entrar em ${channel}`,
    invitedToModerate: (channel) => `Convite para moderar ${channel}`,
    inviteEnded: (channel) => `Convite encerrado em ${channel}`,
    pinned: (channel) => `Cast fixado em ${channel}`,
    unpinned: (channel) => `Cast desafixado em ${channel}`,
    edited: (channel) => `${channel} foi editado`,
  },
  removedAt: (time) => `apagado ${time}`,
  becameMember: (person, time) => `${person} virou membro ${time}`,
  leftOrRemoved: "saiu por conta própria ou por decisão de outros",
  onlyByInvite: "Só pode entrar de novo com um convite.",
  bannedInstead: "No lugar dela, agora há um banimento.",
  invitedBy: (person) => `Convite de ${person}.`,
  inviteEnded: {
    member: (person) => `${person} respondeu ao convite para ser membro, ou o convite foi retirado`,
    moderator: (person) => `${person} respondeu ao convite para moderar, ou o convite foi retirado`,
  },
  edited: (fields) => `Mudanças: ${fields}`,
  fields: {
    name: "nome",
    address: "endereço",
    description: "descrição",
    picture: "imagem",
    "header picture": "imagem de capa",
    owner: "dono",
    moderators: "moderadores",
    "who may cast": "quem pode publicar casts",
    link: "link",
  },
  followers: {
    left: "Não é mais membro.",
    restricted: "Restrição: só pode entrar de novo com um convite.",
    unrestricted: "Não tem mais restrição.",
    accepted: {
      member: "Aceitou o convite para ser membro.",
      moderator: "Aceitou o convite para moderar.",
    },
    inviteEnded: {
      member: "O convite para ser membro foi encerrado.",
      moderator: "O convite para moderar foi encerrado.",
    },
    strikes: (added, total) => `${points(added)}, agora ${total} no total.`,
  },

  hits: {
    headline: (what, who) => `${what}: ${who}`,
    place: (person, channel) => `${person} em ${channel}`,
    rules: (ids) => `regras ${ids}`,
    acting: (rules) => `ação em andamento (${rules})`,
    couldNotAct: (rules) => `não foi possível agir (${rules})`,
    shadow: (rules) => `ocorrência em modo sombra (${rules})`,
    hit: (rules) => `ocorrência (${rules})`,
    times: (actions, count) => `${actions} (${count} vezes)`,
    nothing: "nenhuma ação",
    wouldDo: (rule, actions) => `A regra ${rule} está em modo sombra. As ações dela seriam: ${actions}.`,
    doNothing: "nenhuma",
    asks: (rule, actions) => `A regra ${rule} pede uma decisão: ${actions}`,
    byRule: (rule, what) => `Pela regra ${rule}: ${what}`,
  },
  rules: {
    tripped: (rule) => `A regra ${rule} agiu vezes demais`,
    trippedWhy: (times, minutes, mode) =>
      `${plural(times, { one: "# vez", other: "# vezes" })} em ${minutes} min, que é o limite dela. Agora ela está no modo ${mode} e não age mais sozinha.`,
    trippedNext: "Confira as ações dela (/rule show) e depois deixe que volte a agir com /rule mode",
    slow: (count) =>
      plural(count, {
        one: "# regra demorou demais e está desativada",
        other: "# regras demoraram demais e estão desativadas",
      }),
    slowNext:
      "Padrões com repetições aninhadas são lentos. Use menos padrões ou padrões mais simples (/rule edit), teste com /rule test e ative a regra de novo com /rule mode",
    unreadable: (channel) => `Nenhuma regra age em ${channel}: as regras não podem mais ser lidas`,
    unreadableWhy: (version) =>
      `A versão ${version} das regras foi ativada por outra versão do Castellan. A versão atual do Castellan encontra erros nelas:`,
    unreadableNext: "/rule show anexa o arquivo: corrija e envie com /rule import",
    changed: (version) => `As regras mudaram: a versão ${version} está em vigor`,
    changedBy: (change, who) => `${change} por ${who}`,
    added: (rules) => `Novas: ${rules}`,
    removed: (rules) => `Removidas: ${rules}`,
    modes: (rules) => `Alteradas: ${rules}`,
    changedNext: "/rule show history:true mostra as versões, /rule rollback restaura uma anterior.",
    paused: (channel) => `Regras pausadas em ${channel}`,
    resumed: (channel) => `Regras retomadas em ${channel}`,
    lockdownStopped: "⚠️ Enquanto isso, o bloqueio do canal do Farcaster não oculta nada.",
  },
  strikes: {
    points,
    title: (count, channel) => `${points(count)} em ${channel}`,
    total: (person, total) => `${person} agora tem ${total} no total`,
  },

  gap: {
    title: "Pode haver eventos faltando",
    when: (from, until, source) =>
      `Entre ${from} e ${until}, o Castellan não conseguiu acompanhar o hub (${source}).`,
    what: "Membros, banimentos, convites e restrições estão sendo lidos de novo. Podem faltar casts e nomes desse período, e também as respostas a esses casts.",
  },
  links: {
    suspended: (channel) => `Vínculo suspenso: ${channel}`,
    restored: (channel) => `Vínculo restaurado: ${channel}`,
    bot_role_lost: (channel) => `O Castellan não modera mais ${channel}`,
    bot_role_back: (channel) => `O Castellan agora modera ${channel}`,
    staff_proven: (channel) => `Permissões comprovadas: ${channel}`,
    staff_withdrawn: (channel) => `Permissões não mais comprovadas: ${channel}`,
  },
  setup: {
    title: "Configuração alterada",
    titleIn: (channel) => `Configuração alterada: ${channel}`,
  },
  webhook: {
    title: (name) => `Não é possível chamar o webhook ${name}`,
    since: (time, error) => `Desde ${time}, todas as chamadas falharam. ${error}`,
    next: "As chamadas são tentadas de novo durante um dia. /setup webhooks mostra quais são.",
  },
  lockdown: {
    begun: (channel) => `Bloqueio: ${channel}`,
    over: (channel) => `Fim do bloqueio: ${channel}`,
    expired: "Expirou",
    until: (time) =>
      `Até ${time}, casts de quem não é membro são ocultados. /lockdown end:True encerra antes.`,
    hid: (casts, unsure) =>
      casts === 0
        ? "O bloqueio não ocultou nenhum cast."
        : [
            plural(casts, {
              one: "O bloqueio ocultou # cast, que continua oculto.",
              other: "O bloqueio ocultou # casts, que continuam ocultos.",
            }),
            ...(unsure === 0 ? [] : [`Ocultados sem poder verificar se o autor é membro: ${unsure}.`]),
          ].join(" "),
  },
  key: {
    titles: {
      refused: "A rede recusa a chave do Castellan",
      ends_soon: "A chave do Castellan expira em breve",
      ended: "A chave do Castellan expirou",
      powerless: "A chave do Castellan não tem permissões",
      gone: "A chave do Castellan não existe mais",
    },
    answers: (message) => `A rede responde: ${message}`,
    state: (message) => `Situação da chave: ${message}`,
    endsSoon: "Até lá, o Castellan age como sempre.",
    cannotAct: "Enquanto isso, o Castellan não pode agir no Farcaster.",
    next: (command) => `Quem administra o Castellan pode executar ${command} para ver os detalhes`,
  },
  readers: { gone: "Este cast não é mais exibido.", notHere: "Isto não é exibido aqui." },
  unshown: (number) => `Não foi possível mostrar o evento ${number}. A causa está no log do programa.`,

  digest: {
    titles: {
      old: (count) => `${count} eventos que não puderam ser publicados a tempo`,
      flood: (count) => `${count} eventos que chegaram mais rápido do que dá para publicar`,
      sum: (count) => `${count} eventos`,
    },
    why: {
      old: "Estão resumidos porque já são antigos.",
      flood: "Estão resumidos para que eventos novos não precisem esperar.",
      sum: "Estão resumidos porque este canal recebe resumos (/feed room).",
    },
    period: (from, until) => `De ${from} a ${until}.`,
    kinds: {
      names: "nomes",
      records: "casts ocultos ou visíveis de novo",
      bans: "banimentos",
      restrictions: "restrições",
      members: "membros",
      invites: "convites",
      pins: "casts fixados ou desafixados",
      channel: "mudanças no canal",
      casts: "casts",
      rules: "regras",
      reviews: "revisões",
      cases: "casos",
      health: "estado do Castellan",
    },
    reviewsOpen: "As revisões continuam abertas: /review show mostra quais são.",
    lookUp: "Casos e membros ainda podem ser consultados.",
    footer: (first, last) => `${first} a ${last}`,
  },

  cases,
  outcomes,
  bulk,
  review,
  buttons,
};
