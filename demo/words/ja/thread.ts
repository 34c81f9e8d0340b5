/** 会話の日本語：質問、回答カード、経路、文脈、書かれた回答。 */
import type { Words } from '../words.ts'

export const ask: Words['ask'] = {
  label: 'あなたの質問',
  placeholder: '文書に尋ねる',
  followUp: '続けて尋ねる',
  begin: (documents) => `文書が ${documents} 個あります。ふつうの言葉で尋ねてください。`,
  ask: '尋ねる',
  examples: '質問の例',
  before: '前に尋ねたこと',
  other: 'ほかの質問',
  mentioned: 'よく出てくる名前：',
  waitDeleting: 'コレクションを削除しています',
  waitOpening: '文書を準備しています',
  waitNone: '開いているコレクションがありません',
  waitEmpty: 'まだ文書がありません',
  looking: '探しています…',
  about: (name) => `${name}について何が書かれていますか？`,
}

export const welcome: Words['welcome'] = {
  lead: '文書をドロップし、自分の言葉で尋ねると、答えている文をその場所で見られます。',
  empty: (name) => `「${name}」は空です。文書をドロップして尋ねてください。`,
  example: 'このページでいま答えた例です',
  own: '文書を追加',
  sample: '見本を読み込む',
  openSample: '見本を開く',
  privacy:
    'ファイルはこのページの中で読まれ、検索されます。サーバーもアカウントも不要で、オフラインでも使えます。',
  loading: '例を準備しています…',
}

export const card: Words['card'] = {
  found: '回答',
  unsure: '確かではありません。最も近いのは次のとおりです',
  none: 'おそらく文書の中にはありません',
  nothing: '何も見つかりませんでした',
  nothingHelp: '言い方を変えるか、除外した文書を戻してください。',
  unknown: (names) => `これらの文書にない名前：${names}。`,
  nearest: '最も近いもの',
  openPlace: 'その場所で開く',
  openTitle: (title) => `${title}をその場所で開く`,
  copyQuote: '引用をコピー',
  copyTitle: (title) => `${title}の引用を出典とともにコピー`,
  quote: '引用',
  page: (n) => `${n} ページ`,
  readAs: (question) => `次のように読みました：${question}`,
  takenOver: (text) => `前の話から：${text}`,
  why: 'この回答の理由',
  improving: '意味を計算中です。回答は自動で良くなります。',
  announceFound: (title, text) => `${title}による回答：${text}`,
  announceUnsure: '確かではありません。最も近い引用を表示します。',
  announceNone: 'おそらく文書の中にはありません。',
  improved: '回答が改善されました。',
  again: 'もう一度尋ねる',
  compare: '比べる…',
}

export const path: Words['path'] = {
  title: '推論の経路',
  names: '名前',
  document: '文書',
  none: 'これらの引用に至る名前の連なりはありません。語と意味で見つかりました。',
  weak: '弱いつながりです。手がかりとしてご覧ください。',
}

export const context: Words['context'] = {
  title: 'まとめた文脈',
  used: (used, budget) => `${used} / ${budget} トークン`,
  budget: '上限',
  tokens: (n) => `${n} トークン`,
  block: (n, title) => `ブロック ${n}：${title}`,
  blocks: (n) => `${n} ブロック`,
  unfoldAll: 'すべて開く',
  fold: 'たたむ',
  unfold: '開く',
  tooSmall: (budget) => `${budget} トークンには最も短い部分も入りません。上限を上げてください。`,
  omitted: (n) => `${n} 個の段落を省きました`,
  source: (rank) => `理由：出典 ${rank}`,
  what: '文脈',
}

export const omissions: Words['omissions'] = {
  budget: '上限に収まらない',
  duplicate: 'すでにある段落と同じ内容',
  'document-share': 'その文書の割り当てが埋まっている',
  'nothing-new': '新しい内容がない',
  relevance: '質問との関わりが薄い',
}

export const written: Words['written'] = {
  title: '書かれた回答',
  stop: '止める',
  write: '回答を書く',
  again: '書き直す',
  packing: (by) => `${by}のために引用をまとめています。`,
  reading: (by, quotes) => `${by}が ${quotes} 個の引用を読んでいます。`,
  stopped: '止めました。',
  cites: (numbers) =>
    `${numbers} を引用していますが、その引用はありません。その前の内容は信用しないでください。`,
  citesNothing: '何も引用していません。文書にあるとは示されていません。',
  silent: 'モデルは何も答えませんでした。',
  cut: '最大長で切れました。言語モデルの設定で長くできます。',
  stale: '書かれた後、下の引用が変わりました。',
  by: (by) => `${by}による。使用`,
  window: (used, window) => `${used} / ${window} トークン`,
  err: 'モデルは誤ります。番号を確かめてください。',
  quote: (n, title) => `引用 ${n}：${title}`,
  noQuote: 'この番号の引用はありません',
  announce: (n) => `回答が書かれました。${n} 個の段落を引用しています。`,
  offer: '言語モデルがこれらの引用から回答を書けます。',
  choose: '選ぶ',
}
