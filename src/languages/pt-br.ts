import { createAgo } from "./ago.ts";
import type { Texts } from "./en.ts";
import { createPlural } from "./plurals.ts";
import { posts } from "./posts/pt-br.ts";

const plural = createPlural("pt-BR");

/** Brazilian Portuguese. Readers are addressed as "você". */
export const ptBr: Texts = {
  locale: "pt-BR",
  descriptions: {
    report: "Denuncie um cast à moderação do canal; nada acontece até ela decidir",
    "report:cast": "Qual cast: o link, como o app do Farcaster o copia, ou o hash",
    "report:reason": "O que há de errado nele; a moderação vai ler",
    appeal: "Peça que revejam seu banimento ou cast oculto; sem texto, mostra seus recursos",
    "appeal:text": "Por que isso deve ser desfeito; a moderação vai ler",
    "appeal:case": "O número do caso, como C-12, se houver vários",
    "appeal:channel": "O canal do caso, se você tiver casos em vários",
    "appeal:user": "Sua própria conta do Farcaster, se o Castellan não a encontrar: fid ou @nome",
    help: "O que você pode fazer com o Castellan e o que ele não faz",
    "help:about": "Só os comandos deste assunto, com descrições",
  },
  topics: {
    People: "Pessoas",
    Casts: "Casts",
    "The record and the queue": "Registro e revisões",
    Rules: "Regras",
    Feeds: "Feeds",
    "Channels and permissions": "Canais e permissões",
  },
  menuNames: { Report: "Denunciar à moderação" },

  help: {
    title: "Castellan: canais do Farcaster, direto daqui",
    click: "Clique em um comando para digitá-lo.",
    none: "Você não pode usar nenhum desses comandos aqui.",
    forModerators: (count) =>
      plural(count, {
        one: "Há mais # comando, para quem modera.",
        other: "Os outros # comandos são para quem modera.",
      }),
    becomeModerator:
      "Você pode moderar se for dono de um canal deste servidor no Farcaster, ou o moderar lá, e tiver verificado no Farcaster esta conta do Discord, ou se o dono do canal der permissões no Castellan a um cargo seu.",
  },

  reports: {
    reasonLabel: "O que há de errado nele? (opcional)",
    sent: "Denunciado",
    notSent: "Não foi denunciado de novo",
    first: (channelId) =>
      `A moderação de /${channelId} vai revisar e ver quem denunciou e por quê. Nada é ocultado até ela decidir.`,
    joined: (channelId) =>
      `Outras pessoas também denunciaram, e sua denúncia foi acrescentada. Nada é ocultado até a moderação de /${channelId} decidir.`,
    again: (channelId) =>
      `Você já denunciou este cast. A moderação de /${channelId} ainda não decidiu, então nada foi acrescentado.`,
    decided: (channelId) => `A moderação de /${channelId} já revisou este cast. Nada foi acrescentado.`,
    dismissed: (channelId) =>
      `A moderação de /${channelId} já revisou este cast e o deixou como está. Nada foi acrescentado.`,
    unseen: (channels) =>
      `O Castellan não viu nenhum cast assim nos canais deste servidor (${channels}), então nada foi denunciado. Copie o link do cast no app do Farcaster e cole aqui, ou use Apps › Denunciar à moderação em uma publicação sobre ele.`,
    andMore: (channels, count) => `${channels} e mais ${count}`,
    deleted: "Quem publicou esse cast já o apagou, então não há nada a denunciar.",
    hidden: "Esse cast já está oculto, então nada foi denunciado.",
    ignored: (channelId) =>
      `A moderação de /${channelId} não aceita mais denúncias suas, então nada foi denunciado. Fale com ela se achar que é um engano.`,
    tooManyOwn: (max, minutes) =>
      `Você pode denunciar no máximo ${max} casts por hora; nada foi denunciado. ${tryAgain(minutes)}`,
    tooMany: (max, minutes) =>
      `Este servidor aceita no máximo ${max} denúncias por hora; nada foi denunciado. ${tryAgain(minutes)}`,
    tooManyRecent: (max, minutes) =>
      `De quem já denunciou algo nas últimas 24 horas, este servidor aceita no máximo ${max} denúncias por hora; nada foi denunciado. ${tryAgain(minutes)}`,
  },

  appeals: {
    title: "Seus recursos",
    nothingSent: "Nada foi enviado.",
    canAppeal: "Você pode recorrer de cada um destes uma vez: use /appeal e diga por quê.",
    ban: (channelId) => `Banimento em /${channelId}`,
    hide: (channelId) => `Cast oculto em /${channelId}`,
    which: "De qual você quer recorrer?",
    several: "Há vários. Escolha um com a opção `case`.",
    unknown: "Com esses dados não há nada de que você possa recorrer. /appeal mostra a lista.",
    notACase: "Isso não é o número de um caso. Escreva como C-12 ou 12.",
    none: (fids) =>
      `Não há nada de que recorrer para ${fids}. É sobre outra conta sua? Informe-a com a opção \`user\`.`,
    unknownAccount: (user) =>
      `O Castellan não sabe qual é a conta do Farcaster de ${user}. Primeiro, conecte o Discord à sua conta do Farcaster.`,
    unknownAccountLive: (user) =>
      `O Castellan não sabe qual é a conta do Farcaster de ${user}. Informe sua conta com a opção \`user\`. Ela precisa ter verificado sua conta do Discord.`,
    notVerified: (fid) =>
      `fid ${fid} não verificou sua conta do Discord, então você não pode falar por essa conta. Conecte o Discord a ela no seu app do Farcaster e tente de novo.`,
    notVerifiedLive: (fid) =>
      `fid ${fid} não verificou sua conta do Discord, então você não pode falar por essa conta. Conecte o Discord a ela no seu app do Farcaster e tente de novo depois de um minuto.`,
    sent: "Recurso enviado",
    sentBan: (channelId, number) =>
      `A moderação de /${channelId} vai rever seu banimento (${number}). Ela vê o que você escreveu e quem você é aqui. Nada muda até ela decidir.`,
    sentHide: (channelId, number) =>
      `A moderação de /${channelId} vai rever seu cast oculto (${number}). Ela vê o que você escreveu e quem você é aqui. Nada muda até ela decidir.`,
    answerComes:
      "Você recebe a resposta por mensagem direta se aceitar mensagens dos membros deste servidor. /appeal também mostra.",
    notInEffect: "Isso não está mais em vigor, ou você já recorreu. /appeal mostra a situação.",
    oneAtATime: (number, channelId) =>
      `Seu recurso sobre ${number} em /${channelId} ainda espera pela moderação. Você só pode ter um recurso por vez. Nada foi enviado.`,
    tooMany: (max) =>
      `Este servidor aceita no máximo ${max} recursos por hora; nada foi enviado. Tente de novo em uma hora.`,
  },
  appealedBefore: {
    lifted: (number, channelId) =>
      `Você já recorreu de ${number} em /${channelId}, e esse banimento foi removido.`,
    shown: (number, channelId) =>
      `Você já recorreu de ${number} em /${channelId}, e esse cast voltou a aparecer.`,
    open: (number, channelId) =>
      `Você já recorreu de ${number} em /${channelId}; a moderação ainda não decidiu. Nada foi enviado.`,
    granted: (number, channelId) =>
      `Você já recorreu de ${number} em /${channelId}, e a moderação o aceitou. Nada foi enviado.`,
    declined: (number, channelId) =>
      `Você já recorreu de ${number} em /${channelId}, e a moderação decidiu deixar como está. Nada foi enviado.`,
  },
  appealStates: {
    open: (what, appealed) => `${what}, recurso ${appealed}: a moderação ainda não decidiu.`,
    granted: (what, appealed, decided) => `${what}, recurso ${appealed}: aceito ${decided}.`,
    declined: (what, appealed, decided) =>
      `${what}, recurso ${appealed}: recusado ${decided}; fica como está.`,
    lifted: "Esse banimento foi removido.",
    shown: "O cast voltou a aparecer.",
    unconfirmed: "A rede ainda não confirmou.",
  },
  appealAnswers: {
    granted: "Seu recurso foi aceito",
    declined: "Seu recurso foi recusado",
    ban: (channelId, number) => `A moderação reviu seu banimento de /${channelId} (${number}).`,
    hide: (channelId, number) => `A moderação reviu seu cast oculto em /${channelId} (${number}).`,
    banLifted: "O banimento foi removido. Para voltar a ser membro, você precisa de um novo convite.",
    castShown: "O cast voltou a aparecer.",
    banStays: "O banimento continua.",
    castStays: "O cast continua oculto.",
    replacesEarlier: "Isto substitui uma resposta anterior.",
    footer: (number, answer) => `Recurso ${number}, resposta ${answer}`,
  },
  notices: {
    ban: (channelId) => `Sua conta foi banida de /${channelId}`,
    hide: (channelId) => `Um cast seu foi ocultado em /${channelId}`,
    noReason: "nenhum motivo foi informado",
    permanent: "permanentemente",
    untilShown: "até a moderação mostrá-lo de novo",
    footer: (number, channelId, key) => `Caso ${number} em /${channelId}, ${key}`,
  },

  typed: {
    unknownCast: (link) =>
      `Cast desconhecido. Cole o link dele, que você copia no app do Farcaster ao compartilhar o cast (\`${link}\`). O hash (0x e 40 caracteres) também serve.`,
    severalCasts: (hash) => `Vários casts começam com ${hash}. Informe o hash inteiro.`,
    unseenCast: (hash) =>
      `O Castellan não viu nenhum cast cujo hash comece com ${hash}. Copie o link de novo ou informe o hash inteiro.`,
    unusedName: (name) =>
      `Ninguém tem o nome ${name} agora. Escreva outro nome, ou o fid (por exemplo, fid 7).`,
    unknownUser: (link) =>
      `Usuário desconhecido. Escreva um fid só com algarismos (7), um nome (@alice) ou um link de perfil (\`${link}\`).`,
    unclearUser: (typed, link) =>
      `${typed} pode ser lido de mais de um jeito. Escreva um fid só com algarismos (7), um nome (@alice) ou um link de perfil (\`${link}\`), um usuário por vez.`,
    notAChannel: "Isso não é um canal. Informe o id, como memes, ou o link dele.",
  },
  cast: posts.cast.parts,
  ago: createAgo("pt-BR"),
  suggested: (who, ago) => `${who}, ${ago}: `,
  suggestedIn: (who, channelId, ago) => `${who} em /${channelId}, ${ago}: `,
  andMore: (count) => `… e mais ${count}`,

  links: {
    none: "Este servidor ainda não está vinculado a nenhum canal. Quem é dono ou moderador de um canal e tem “Gerenciar servidor” aqui pode vinculá-lo com /setup link.",
    noneWorks: "Nenhum vínculo deste servidor com canais está funcionando agora. Avise a moderação.",
    ended: (channelId) => `Este servidor não está mais vinculado a /${channelId}. Nada foi enviado.`,
  },

  menus: {
    noCast: "Esta mensagem não é sobre um cast que o Castellan conheça.",
    whichOne: "Qual?",
    chooseOne: "Esta mensagem menciona mais de um. Escolha um.",
    typeAnother: (question, count) => `${question} (Há mais ${count}, que você pode digitar.)`,
  },
  outdated: {
    buttons: "Estes botões são antigos demais. Nada foi feito; use o comando de novo.",
    buttonsOfEarlier: "Estes botões são de uma versão anterior. Nada foi feito; use o comando de novo.",
    button: "Este botão é de uma versão anterior. Use o comando de novo.",
    menu: "Este menu é de uma versão anterior. Use o comando de novo.",
    form: "Este formulário é de uma versão anterior. Use o comando de novo.",
    answer: "Essa resposta expirou. Use o comando de novo.",
    command: (path) => `O comando /${path} não existe mais.`,
    menuCommand: "Este comando do menu não existe mais.",
    notYours: "Estes botões são de quem usou o comando.",
    answered: "Isso já foi respondido. /case show mostra o resultado.",
  },
  errors: {
    failed: (id) =>
      `Algo deu errado (${id}). Quem administra o Castellan pode encontrar a causa no log com este código.`,
    unshownFailure: (id) =>
      `Não deu certo, e o Discord recusou a mensagem com o motivo. Quem administra o Castellan pode encontrar o erro no log com este código: ${id}.`,
    unshown: (id) =>
      `O Discord recusou a resposta. O comando em si foi executado: confira antes de repetir. Quem administra o Castellan pode encontrar o erro no log com este código: ${id}.`,
    unstorable:
      "Nada foi feito, porque o texto contém U+0000 ou metade de um caractere. Digite de novo sem isso.",
    onlyInServers: "O Castellan só funciona em servidores, não em mensagens diretas.",
    slow: "A rede está lenta demais para um formulário agora. Tente de novo daqui a pouco.",
  },
  stillWorking:
    "Ainda em andamento. O Discord aceita respostas por só 15 minutos, então o resultado será publicado neste canal. Só você poderá abri-lo.",
  posts,
};

function tryAgain(minutes: number): string {
  const wait = plural(minutes, { one: "# minuto", other: "# minutos" });
  return `Tente de novo em ${wait}, ou fale diretamente com a moderação.`;
}
