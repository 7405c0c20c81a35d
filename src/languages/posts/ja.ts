import { bulk, buttons, cases, outcomes, review } from "../cases/ja.ts";
import type { PostTexts } from "./en.ts";

const points = (count: number) => `違反ポイント${count}点`;

/** Japanese, for moderators, in the polite form where a text is a sentence. */
export const posts: PostTexts = {
  locale: "ja",

  someone: "不明なユーザー",
  network: "ネットワーク",
  doers: {
    operator: "運営者",
    token: (token, user) => `${user} の API トークン ${token}`,
  },
  by: (who) => `実行：${who}`,
  byRule: (rule) => `実行：ルール ${rule}`,
  rule: (rule) => `ルール ${rule}`,
  author: (person) => `投稿者：${person}`,
  reason: (reason) => `理由：${reason}`,
  until: (time, relative) => `期限：${time}（${relative}）`,
  untilTime: (time) => `期限：${time}`,
  actors: {
    unknown: "Castellan の外で実行",
    otherServer: "別のサーバーのために Castellan が実行",
    rule: (rule, number) => `実行：ルール ${rule} · ケース ${number}`,
    castellan: (number) => `実行：Castellan · ケース ${number}`,
    outside: (number) => `Castellan の外で実行 · ケース ${number}`,
    person: (who, number) => `実行：${who} · ケース ${number}`,
  },
  endings: {
    expired: "期限切れ",
    since: "その後取り消し済み",
    outside: (number) => `Castellan の外で取り消し（${number}）`,
    castellan: (number) => `${number} により取り消し`,
    person: (who, number) => `${who} が取り消し（${number}）`,
  },
  over: (ending) => `**${ending}**`,

  /** For people and things alike, so without a counter. */
  andMore: (names, count) => `${names}、ほか ${count}`,
  moreRules: (count) => `… ほかルール${count}件`,
  moreCasts: (count) => `… ほかキャスト${count}件`,
  moreFailed: (count) => `… ほか失敗${count}件`,

  cast: {
    hash: (hash) => `キャスト ${hash}`,
    link: "ネットワークで見る",
    at: (link) => `キャスト：${link}`,
    inOneLine: (text) => `キャスト：${text}`,
    shown: {
      mentions: (names) => `メンション：${names}`,
      quotes: (hashes) => `引用：${hashes}`,
      picture: (address) => `画像：${address}`,
      video: (address) => `動画：${address}`,
      link: (address) => `リンク：${address}`,
      moreEmbeds: (count) => `ほか埋め込み${count}件`,
    },
    parts: {
      noText: "（テキストなし）",
      picture: "（画像）",
      video: "（動画）",
      link: "（リンク）",
      quote: "（キャストを引用）",
    },
    erased: "（投稿者の希望により消去）",
  },

  names: {
    titles: {
      registered: (name) => `名前の登録：${name}`,
      transferred: (name) => `名前の移転：${name}`,
      released: (name) => `名前の解放：${name}`,
      replaced: (name) => `名前の変更：${name}`,
      renewed: (name) => `名前の証明の更新：${name}`,
    },
    registered: (name, fid) => `${name} は fid ${fid} のものになりました。`,
    transferred: (name, from, to) => `${name} は fid ${from} から fid ${to} に移りました。`,
    released: (name) => `${name} は再び未使用になりました。`,
    releasedBy: (name, fid) => `${name} は再び未使用になりました（以前は fid ${fid} のもの）。`,
    renewed: (name, fid) => `fid ${fid} が ${name} の証明を更新しました。`,
    replaced: (name, fid, before) => `fid ${fid} の名前は ${before} から ${name} に変わりました。`,
  },
  titles: {
    cast: (channel) => `${channel} のキャスト`,
    reply: (channel) => `${channel} の返信`,
    castRemoved: (channel) => `${channel} のキャストが削除されました`,
    hidden: (channel) => `${channel} のキャストを非表示`,
    shown: (channel) => `${channel} のキャストを再表示`,
    banned: (channel) => `${channel} で BAN`,
    banOver: (channel) => `${channel} での BAN が終了`,
    banLifted: (channel) => `${channel} での BAN を解除`,
    restricted: (channel) => `${channel} で制限`,
    unrestricted: (channel) => `${channel} での制限が終了`,
    joined: (channel) => `${channel} に参加`,
    left: (channel) => `${channel} のメンバーではなくなりました`,
    removed: (channel) => `${channel} から除外`,
    invited: (channel) => `${channel} にメンバーとして招待`,
    invitedToModerate: (channel) => `${channel} にモデレーターとして招待`,
    inviteEnded: (channel) => `${channel} への招待が終了`,
    pinned: (channel) => `${channel} でピン留め`,
    unpinned: (channel) => `${channel} でピン留めを解除`,
    edited: (channel) => `${channel} が編集されました`,
  },
  removedAt: (time) => `削除：${time}`,
  becameMember: (person, time) => `${person} がメンバーになりました（${time}）`,
  leftOrRemoved: "退出したか、ほかの人に除外されました",
  onlyByInvite: "再び参加するには招待が必要です。",
  bannedInstead: "代わりに BAN されました。",
  invitedBy: (person) => `招待した人：${person}`,
  inviteEnded: {
    member: (person) => `${person} がメンバーとしての招待に回答したか、招待が取り下げられました`,
    moderator: (person) => `${person} がモデレーターとしての招待に回答したか、招待が取り下げられました`,
  },
  edited: (fields) => `変更：${fields}`,
  fields: {
    name: "名前",
    address: "アドレス",
    description: "説明",
    picture: "画像",
    "header picture": "ヘッダー画像",
    owner: "オーナー",
    moderators: "モデレーター",
    "who may cast": "投稿できる人",
    link: "リンク",
  },
  followers: {
    left: "メンバーではなくなりました。",
    restricted: "制限されました。再び参加するには招待が必要です。",
    unrestricted: "制限はなくなりました。",
    accepted: {
      member: "メンバーとしての招待を承諾しました。",
      moderator: "モデレーターとしての招待を承諾しました。",
    },
    inviteEnded: {
      member: "メンバーとしての招待は終了しました。",
      moderator: "モデレーターとしての招待は終了しました。",
    },
    strikes: (added, total) => `${points(added)}（現在の合計${total}点）`,
  },

  hits: {
    headline: (what, who) => `${what}：${who}`,
    place: (person, channel) => `${person} · ${channel}`,
    rules: (ids) => `ルール ${ids}`,
    acting: (rules) => `${rules} を実行中`,
    couldNotAct: (rules) => `${rules} を実行できませんでした`,
    shadow: (rules) => `${rules} に該当（シャドウ）`,
    hit: (rules) => `${rules} に該当`,
    times: (actions, count) => `${actions}（${count}回）`,
    nothing: "なし",
    wouldDo: (rule, actions) => `ルール ${rule} はシャドウモードです。本来行う処理：${actions}`,
    doNothing: "なし",
    asks: (rule, actions) => `ルール ${rule} が判断を求めています：${actions}`,
    byRule: (rule, what) => `ルール ${rule}：${what}`,
  },
  rules: {
    tripped: (rule) => `ルール ${rule} の実行回数が多すぎます`,
    trippedWhy: (times, minutes, mode) =>
      `${minutes}分間に${times}回実行され、上限に達しました。現在は ${mode} モードで、自動では実行されません。`,
    trippedNext: "行われた処理を確認してから（/rule show）、/rule mode で再び実行できるようにしてください",
    slow: (count) => `時間のかかりすぎるルール${count}件をオフにしました`,
    slowNext:
      "繰り返しが入れ子になったパターンは遅くなります。パターンを減らすか簡単にし（/rule edit）、/rule test で試してから、/rule mode でルールを再びオンにしてください",
    unreadable: (channel) => `${channel} ではルールが実行されません：ルールを読み込めなくなりました`,
    unreadableWhy: (version) =>
      `ルールのバージョン ${version} は、別のバージョンの Castellan で有効にされました。現在の Castellan では、次の誤りが見つかりました：`,
    unreadableNext: "/rule show でファイルが添付されます。修正して、/rule import でアップロードしてください",
    changed: (version) => `ルールが変更されました：バージョン ${version} が有効です`,
    changedBy: (change, who) => `${change} · 実行：${who}`,
    added: (rules) => `追加：${rules}`,
    removed: (rules) => `削除：${rules}`,
    modes: (rules) => `変更：${rules}`,
    changedNext:
      "バージョンの一覧は /rule show history:true で、以前のものに戻すには /rule rollback を使います。",
    paused: (channel) => `${channel} のルールを一時停止`,
    resumed: (channel) => `${channel} のルールを再開`,
    lockdownStopped: "⚠️ 一時停止中、このチャンネルのロックダウンは何も非表示にしません。",
  },
  strikes: {
    points,
    title: (count, channel) => `${channel} で${points(count)}`,
    total: (person, total) => `${person} · 現在の合計${total}点`,
  },

  gap: {
    title: "イベントが抜けている可能性があります",
    when: (from, until, source) =>
      `${from} から ${until} まで、Castellan はハブ（${source}）を読み取れませんでした。`,
    what: "メンバー、BAN、招待、制限を読み直しています。その間のキャストと名前、そのキャストへの返信は抜けている可能性があります。",
  },
  links: {
    suspended: (channel) => `リンクの停止：${channel}`,
    restored: (channel) => `リンクの復旧：${channel}`,
    bot_role_lost: (channel) => `Castellan はモデレーターではなくなりました：${channel}`,
    bot_role_back: (channel) => `Castellan がモデレーターになりました：${channel}`,
    staff_proven: (channel) => `権限を確認しました：${channel}`,
    staff_withdrawn: (channel) => `権限を確認できなくなりました：${channel}`,
  },
  setup: {
    title: "設定の変更",
    titleIn: (channel) => `設定の変更：${channel}`,
  },
  webhook: {
    title: (name) => `Webhook ${name} を呼び出せません`,
    since: (time, error) => `${time} から、すべての呼び出しが失敗しています。${error}`,
    next: "失敗した呼び出しは、1日の間、再試行されます。/setup webhooks で確認できます。",
  },
  lockdown: {
    begun: (channel) => `ロックダウン：${channel}`,
    over: (channel) => `ロックダウンの終了：${channel}`,
    expired: "期限切れ",
    until: (time) =>
      `${time} まで、メンバー以外のキャストは非表示になります。期限前に終了するには /lockdown end:True を使います。`,
    hid: (casts, unsure) =>
      casts === 0
        ? "ロックダウンで非表示になったキャストはありません。"
        : [
            `ロックダウンで非表示になったキャスト${casts}件は、非表示のままです。`,
            ...(unsure === 0
              ? []
              : [`うち${unsure}件は、投稿者がメンバーかどうかを確認できないまま非表示になりました。`]),
          ].join(""),
  },
  key: {
    titles: {
      refused: "ネットワークが Castellan の鍵を拒否しています",
      ends_soon: "Castellan の鍵の期限が近づいています",
      ended: "Castellan の鍵の期限が切れました",
      powerless: "Castellan の鍵に権限がありません",
      gone: "Castellan の鍵が見つかりません",
    },
    answers: (message) => `ネットワークの応答：${message}`,
    state: (message) => `鍵の状態：${message}`,
    endsSoon: "期限までは、Castellan は通常どおり動作します。",
    cannotAct: "問題が解決するまで、Castellan は Farcaster で何も実行できません。",
    next: (command) => `詳しくは、Castellan の運営者が ${command} で確認できます`,
  },
  readers: { gone: "このキャストは表示されなくなりました。", notHere: "この内容はここには表示されません。" },
  unshown: (number) =>
    `イベント ${number} を表示できませんでした。原因はプログラムのログに記録されています。`,

  digest: {
    titles: {
      old: (count) => `時間内に投稿できなかったイベント${count}件`,
      flood: (count) => `投稿が追いつかないイベント${count}件`,
      sum: (count) => `イベント${count}件`,
    },
    why: {
      old: "古くなったため、まとめて表示します。",
      flood: "新しいイベントを待たせないよう、まとめて表示します。",
      sum: "このチャンネルではまとめ投稿がオンのため、まとめて表示します（/feed room）。",
    },
    period: (from, until) => `${from} から ${until} まで。`,
    kinds: {
      names: "名前",
      records: "非表示と再表示",
      bans: "BAN",
      restrictions: "制限",
      members: "メンバー",
      invites: "招待",
      pins: "ピン留め",
      channel: "チャンネル",
      casts: "キャスト",
      rules: "ルール",
      reviews: "審査",
      cases: "ケース",
      health: "動作状況",
    },
    reviewsOpen: "判断待ちの審査があります。/review show で確認できます。",
    lookUp: "ケースとメンバーは引き続き調べられます。",
    footer: (first, last) => `${first}～${last}`,
  },

  cases,
  outcomes,
  bulk,
  review,
  buttons,
};
