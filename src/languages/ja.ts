import { createAgo } from "./ago.ts";
import type { Texts } from "./en.ts";
import { createPlural } from "./plurals.ts";
import { posts } from "./posts/ja.ts";

const plural = createPlural("ja");

/** Japanese, in the polite form (です・ます). */
export const ja: Texts = {
  locale: "ja",
  descriptions: {
    report: "キャストをチャンネルのモデレーターに報告します。判断されるまでは何も変わりません",
    "report:cast": "対象のキャスト：Farcasterアプリでコピーしたリンク、またはハッシュ",
    "report:reason": "どこが問題か（モデレーターが読みます）",
    appeal:
      "BAN や非表示の見直しをモデレーターに求めます。text を省略すると、これまでの異議申し立てを表示します",
    "appeal:text": "取り消すべき理由（モデレーターが読みます）",
    "appeal:case": "複数ある場合は、C-12 のようなケース番号",
    "appeal:channel": "複数のチャンネルにケースがある場合は、そのチャンネル",
    "appeal:user": "自分の Farcaster アカウントが見つからない場合：fid または @名前",
    help: "Castellan でできることと、できないこと",
    "help:about": "このトピックのコマンドだけを、説明つきで表示します",
  },
  topics: {
    People: "ユーザー",
    Casts: "キャスト",
    "The record and the queue": "記録と審査",
    Rules: "ルール",
    Feeds: "フィード",
    "Channels and permissions": "チャンネルと権限",
  },
  menuNames: { Report: "モデレーターに報告" },

  help: {
    title: "Castellan：Farcaster のチャンネルをここから管理",
    click: "コマンドをクリックすると入力できます。",
    none: "ここでは、これらのコマンドはどれも使えません。",
    forModerators: (count) => plural(count, { other: "ほかの#個のコマンドはモデレーター用です。" }),
    becomeModerator:
      "Farcaster でこのサーバーのチャンネルのオーナーまたはモデレーターになり、そこでこの Discord アカウントを認証するか、チャンネルのオーナーがあなたのロールに権限を与えると、使えるようになります。",
  },

  reports: {
    reasonLabel: "どこが問題ですか？（任意）",
    sent: "報告しました",
    notSent: "新しい報告は追加されていません",
    first: (channelId) =>
      `/${channelId} のモデレーターが確認します。報告した人と理由はモデレーターに表示されます。判断されるまで、非表示にはなりません。`,
    joined: (channelId) =>
      `ほかの人も報告しています。あなたの報告も追加しました。/${channelId} のモデレーターが判断するまで、非表示にはなりません。`,
    again: (channelId) =>
      `このキャストはすでに報告済みです。/${channelId} のモデレーターがまだ判断していないため、何も追加されませんでした。`,
    decided: (channelId) => `/${channelId} のモデレーターがすでに確認しました。何も追加されていません。`,
    dismissed: (channelId) =>
      `/${channelId} のモデレーターがすでに確認し、そのままにしました。何も追加されていません。`,
    unseen: (channels) =>
      `このサーバーのチャンネル（${channels}）に、そのようなキャストは見つかりませんでした。この報告は送信されませんでした。Farcasterアプリでキャストのリンクをコピーしてここに貼り付けるか、キャストについての投稿で「アプリ › モデレーターに報告」を使ってください。`,
    andMore: (channels, count) => `${channels} ほか${count}件`,
    deleted: "そのキャストはすでに投稿者が削除しています。報告するものはありません。",
    hidden: "そのキャストはすでに非表示です。この報告は送信されませんでした。",
    ignored: (channelId) =>
      `/${channelId} のモデレーターは、あなたからの報告を受け付けなくなりました。この報告は送信されませんでした。間違いだと思う場合は、モデレーターに相談してください。`,
    tooManyOwn: (max, minutes) =>
      `1人が報告できるのは1時間に${max}件までです。この報告は送信されませんでした。${tryAgain(minutes)}`,
    tooMany: (max, minutes) =>
      `このサーバーが受け付ける報告は1時間に${max}件までです。この報告は送信されませんでした。${tryAgain(minutes)}`,
    tooManyRecent: (max, minutes) =>
      `過去24時間に報告した人からの報告は、このサーバーでは1時間に${max}件までです。この報告は送信されませんでした。${tryAgain(minutes)}`,
  },

  appeals: {
    title: "あなたの異議申し立て",
    nothingSent: "何も送信されていません。",
    canAppeal: "次のものに、それぞれ1回だけ異議を申し立てられます。/appeal で理由を書いてください。",
    ban: (channelId) => `/${channelId} での BAN`,
    hide: (channelId) => `/${channelId} で非表示になったキャスト`,
    which: "どれに異議を申し立てますか？",
    several: "複数あります。`case` オプションで1つ選んでください。",
    unknown: "異議を申し立てられるものに、該当するものがありません。一覧は /appeal で確認できます。",
    notACase: "ケース番号ではありません。C-12 または 12 のように書いてください。",
    none: (fids) =>
      `${fids} には、異議を申し立てられるものがありません。別のアカウントのことであれば、\`user\` オプションで指定してください。`,
    unknownAccount: (user) =>
      `${user} さんの Farcaster アカウントがわかりません。まず、Discord を Farcaster アカウントに接続してください。`,
    unknownAccountLive: (user) =>
      `${user} さんの Farcaster アカウントがわかりません。\`user\` オプションでアカウントを指定してください。そのアカウントで、この Discord アカウントが認証されている必要があります。`,
    notVerified: (fid) =>
      `fid ${fid} はあなたの Discord アカウントを認証していないため、代わりに申し立てることはできません。Farcaster アプリでそのアカウントに Discord を接続してから、もう一度お試しください。`,
    notVerifiedLive: (fid) =>
      `fid ${fid} はあなたの Discord アカウントを認証していないため、代わりに申し立てることはできません。Farcaster アプリでそのアカウントに Discord を接続し、1分ほど待ってから、もう一度お試しください。`,
    sent: "異議申し立てを送信しました",
    sentBan: (channelId, number) =>
      `/${channelId} のモデレーターがあなたの BAN（${number}）を見直します。書いた内容と、このサーバーでのあなたのアカウントはモデレーターに表示されます。判断されるまでは何も変わりません。`,
    sentHide: (channelId, number) =>
      `/${channelId} のモデレーターが、非表示になったあなたのキャスト（${number}）を見直します。書いた内容と、このサーバーでのあなたのアカウントはモデレーターに表示されます。判断されるまでは何も変わりません。`,
    answerComes:
      "このサーバーのメンバーからのメッセージを許可していれば、回答はダイレクトメッセージで届きます。/appeal でも確認できます。",
    notInEffect: "それはもう有効ではないか、すでに異議申し立て済みです。状況は /appeal で確認できます。",
    oneAtATime: (number, channelId) =>
      `/${channelId} の ${number} についての異議申し立てが、まだモデレーターの判断待ちです。同時に申し立てられるのは1件だけです。何も送信されていません。`,
    tooMany: (max) =>
      `このサーバーが受け付ける異議申し立ては1時間に${max}件までです。何も送信されていません。1時間後にもう一度お試しください。`,
  },
  appealedBefore: {
    lifted: (number, channelId) =>
      `/${channelId} の ${number} にはすでに異議を申し立てており、その BAN は解除されました。`,
    shown: (number, channelId) =>
      `/${channelId} の ${number} にはすでに異議を申し立てており、そのキャストは再び表示されています。`,
    open: (number, channelId) =>
      `/${channelId} の ${number} にはすでに異議を申し立てています。モデレーターはまだ判断していません。何も送信されていません。`,
    granted: (number, channelId) =>
      `/${channelId} の ${number} にはすでに異議を申し立てており、モデレーターに認められました。何も送信されていません。`,
    declined: (number, channelId) =>
      `/${channelId} の ${number} にはすでに異議を申し立てており、モデレーターはそのままにすると判断しました。何も送信されていません。`,
  },
  appealStates: {
    open: (what, appealed) => `${what}、申し立て ${appealed}：モデレーターはまだ判断していません。`,
    granted: (what, appealed, decided) => `${what}、申し立て ${appealed}：認められました（${decided}）。`,
    declined: (what, appealed, decided) =>
      `${what}、申し立て ${appealed}：認められませんでした（${decided}）。そのまま変わりません。`,
    lifted: "BAN は解除されました。",
    shown: "キャストは再び表示されています。",
    unconfirmed: "ネットワークではまだ確認されていません。",
  },
  appealAnswers: {
    granted: "異議申し立てが認められました",
    declined: "異議申し立ては認められませんでした",
    ban: (channelId, number) => `モデレーターが /${channelId} でのあなたの BAN（${number}）を見直しました。`,
    hide: (channelId, number) =>
      `モデレーターが、/${channelId} で非表示になったあなたのキャスト（${number}）を見直しました。`,
    banLifted: "BAN は解除されました。再びメンバーになるには、新しい招待が必要です。",
    castShown: "キャストは再び表示されています。",
    banStays: "BAN はそのままです。",
    castStays: "キャストは非表示のままです。",
    replacesEarlier: "これは前の回答に代わるものです。",
    footer: (number, answer) => `異議申し立て ${number}、回答 ${answer}`,
  },
  notices: {
    ban: (channelId) => `/${channelId} で BAN されました`,
    hide: (channelId) => `/${channelId} であなたのキャストが非表示になりました`,
    noReason: "記載なし",
    permanent: "無期限",
    untilShown: "モデレーターが再び表示するまで",
    footer: (number, channelId, key) => `/${channelId} のケース ${number}、${key}`,
  },

  typed: {
    unknownCast: (link) =>
      `不明なキャストです。Farcasterアプリの共有からコピーしたリンク（\`${link}\`）を貼り付けてください。ハッシュ（0x と40文字）も使えます。`,
    severalCasts: (hash) => `${hash} で始まるキャストが複数あります。ハッシュ全体を入力してください。`,
    unseenCast: (hash) =>
      `ハッシュが ${hash} で始まるキャストは見つかりませんでした。リンクをもう一度コピーするか、ハッシュ全体を入力してください。`,
    unusedName: (name) =>
      `${name} という名前は、現在誰も使っていません。別の名前か fid（fid 7 など）を入力してください。`,
    unknownUser: (link) =>
      `不明なユーザーです。数字だけの fid（7）、名前（@alice）、プロフィールのリンク（\`${link}\`）のいずれかを入力してください。`,
    unclearUser: (typed, link) =>
      `${typed} は複数の意味に読めます。数字だけの fid（7）、名前（@alice）、プロフィールのリンク（\`${link}\`）のいずれかを、1人ずつ入力してください。`,
    notAChannel: "チャンネルではありません。memes のような ID か、リンクを入力してください。",
  },
  cast: posts.cast.parts,
  ago: createAgo("ja"),
  suggested: (who, ago) => `${who}、${ago}：`,
  suggestedIn: (who, channelId, ago) => `${who}（/${channelId}）、${ago}：`,
  andMore: (count) => `… ほか${count}件`,

  links: {
    none: "このサーバーはまだどのチャンネルにもリンクされていません。チャンネルのオーナーまたはモデレーターで、ここで「サーバー管理」の権限を持つ人が、/setup link でリンクできます。",
    noneWorks:
      "このサーバーとチャンネルのリンクは、現在どれも機能していません。モデレーターに知らせてください。",
    ended: (channelId) => `このサーバーはもう /${channelId} にリンクされていません。何も送信されていません。`,
  },

  menus: {
    noCast: "このメッセージには、Castellan が把握しているキャストがありません。",
    whichOne: "どれですか？",
    chooseOne: "このメッセージには該当するものが複数あります。1つ選んでください。",
    typeAnother: (question, count) =>
      `${question}（ほかに${count}件あります。コマンドに入力して指定できます。）`,
  },
  outdated: {
    buttons: "このボタンは古くなりました。何も実行していません。もう一度コマンドを使ってください。",
    buttonsOfEarlier:
      "このボタンは以前のバージョンのものです。何も実行していません。もう一度コマンドを使ってください。",
    button: "このボタンは以前のバージョンのものです。もう一度コマンドを使ってください。",
    menu: "このメニューは以前のバージョンのものです。もう一度コマンドを使ってください。",
    form: "このフォームは以前のバージョンのものです。もう一度コマンドを使ってください。",
    answer: "その回答は期限切れです。もう一度コマンドを使ってください。",
    command: (path) => `コマンド /${path} はもうありません。`,
    menuCommand: "このメニューのコマンドはもうありません。",
    notYours: "このボタンを使えるのは、コマンドを使った本人だけです。",
    answered: "これはすでに回答済みです。結果は /case show で確認できます。",
  },
  errors: {
    failed: (id) =>
      `エラーが発生しました（${id}）。Castellan の運営者は、このコードでログから原因を確認できます。`,
    unshownFailure: (id) =>
      `失敗しました。理由を伝えるメッセージも Discord に拒否されました。Castellan の運営者は、このコードでログからエラーを確認できます：${id}`,
    unshown: (id) =>
      `Discord が回答の表示を拒否しました。コマンド自体は実行されています。繰り返す前に確認してください。Castellan の運営者は、このコードでログからエラーを確認できます：${id}`,
    unstorable:
      "何も実行していません。テキストに U+0000 または不完全な文字が含まれています。取り除いてもう一度入力してください。",
    onlyInServers: "Castellan はサーバーでのみ使えます。ダイレクトメッセージでは使えません。",
    slow: "ネットワークが遅いため、フォームを開けません。少し待ってからもう一度お試しください。",
  },
  stillWorking:
    "まだ処理中です。Discord が回答を受け付けるのは15分間だけなので、結果はこのチャンネルに投稿されます。開けるのはあなただけです。",
  posts,
};

function tryAgain(minutes: number): string {
  return `${plural(minutes, { other: "#分後" })}にもう一度お試しになるか、モデレーターに直接伝えてください。`;
}
