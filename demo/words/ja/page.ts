/** ページの枠とダイアログの日本語。 */
import type { Words } from '../words.ts'

export const page: Words['page'] = {
  heading: 'hubmesh：自分の文書に尋ねる',
  claimOwn: '自分の文書に尋ねる。何もこの端末から出ません。',
  claimAgents:
    '自分の文書に尋ねる。このページは何も送りませんが、ブラウザー内のエージェントが読むことがあります。',
  claimServer: '自分の文書に尋ねる。回答は選んだサーバーから届きます。',
  settings: '設定',
  language: '言語',
  documents: '文書',
  details: '詳細',
  close: '閉じる',
  cancel: '取り消す',
  dropAnywhere: 'ファイルやフォルダーをどこにでもドロップ',
  copy: 'コピー',
  copied: 'コピーしました',
  notAllowed: '許可されません',
  copiedWhat: (what) => `${what}をコピーしました。`,
  copyRefused: 'ブラウザーがコピーを許可しませんでした。',
  openPanel: '理由を表示',
}

export const problemWords: Words['problemWords'] = {
  retry: 'もう一度試す',
  reload: 'ページを再読み込み',
  memory: 'メモリ上で続ける',
  resume: 'もう一度試す',
  forget: '一覧から外す',
  reembed: '意味を計算し直す',
  details: '詳細',
}

export const link: Words['link'] = {
  region: 'リンクがコレクションを開こうとしています',
  refusedTitle: 'たどってきたリンクは開けません',
  refusedLength: 'このページが作るリンクより長すぎます。',
  refusedAddress:
    'ウェブのアドレスではありません。保存されたコレクションは http と https のアドレスから、名前とパスワードを含まない場合に開けます。',
  refusedHelp:
    '何も取得せず、何も変更していません。送り主にファイルをもらい、ここにドロップしてください。',
  understood: '了解',
  openQuestion: '開く',
  alreadyHere: (name) => `「${name}」はすでにあります`,
  fetched: (where) =>
    `リンクから来ました。コレクションは${where}から取得してこの端末に保存されます。送り主を信頼できる場合だけ開いてください。`,
  thisSite: 'このサイト',
  unreachable: (origin) =>
    `${origin} にありますが、このページは自分のアドレスからしか取得できません。そこでダウンロードし、ここにドロップしてください。`,
  thenAsked: '続けて尋ねます：',
  open: '開く',
  goThere: '移動する',
  notNow: '今はしない',
}

export const settings: Words['settings'] = {
  title: '設定',
  save: '保存',
  agents: 'このブラウザーのエージェント',
  agentsMay: '開いている文書を読んでもよい',
  conversation: '会話',
  keepThread: '質問と回答をこの端末に残す',
  keepThreadHelp:
    'コレクションとともに保存され、ともに削除されます。そうでなければこのタブで終わります。',
  developer: '開発者向け設定',
  index: '意味の検索',
  indexAuto: '自動',
  indexExact: '厳密：すべての段落と比べる',
  indexHnsw: 'HNSW：とても大きいコレクションで速い、近似',
  indexHelp: '次にコレクションを開いたときから有効です。',
  install: 'アプリとして導入',
  languageHelp: 'エンジン自身のメッセージは英語のままです。',
  wipe: 'この端末のすべてを削除',
}

export const wipe: Words['wipe'] = {
  title: 'この端末のすべてを削除',
  lead: (n) =>
    n === 0
      ? '設定とオフライン用ファイルが削除されます。'
      : `${n} 個のコレクションとすべての文書、会話、設定、オフライン用ファイルが削除されます。`,
  undo: '元に戻せません。残したいものは先に保存してください。',
  others: (names) =>
    `ファイルに入るのは開いているコレクションだけです。ほかも保存するには先に開いてください：${names}。`,
  saveFirst: (name) => `「${name}」をファイルに保存`,
  sure: 'すべて削除',
  going: '削除しています…',
  failed: (names) =>
    `削除されていません：${names}。このページの他のタブを閉じ、もう一度お試しください。`,
}

export const share: Words['share'] = {
  title: (name) => `${name}を共有`,
  save: 'ファイルに保存します。',
  saveHelp: '本文、名前、意味を含みます。持っている人は文書を読めます。',
  saveFile: 'ファイルを保存',
  saving: '保存しています',
  put: 'サーバーに置き、',
  putHelp: 'できればこのページの隣に。場所を入力してください：',
  address: '保存したコレクションのアドレス',
  noAddress: 'アドレスではありません。',
  unreachable: (origin) =>
    `このページは ${origin} から取得できません。セキュリティポリシーが自分のアドレスだけを許しています。許されたページではリンクが使えます。`,
  send: 'リンクを送ります。',
  sendHelp: '開く人には先に確認します。',
  askThere: (question) => `そこで「${question}」と尋ねる`,
  link: 'リンク',
}

export const models: Words['models'] = {
  title: '言語モデル',
  button: '言語モデル',
  lead: '見つかった引用をもとに回答を書きます。なくてもページは使えます。',
  off: 'なし',
  offHelp: '回答は引用です。どこにも何も送りません。',
  browser: 'このブラウザーのモデル',
  browserHere: 'この端末で動きます。何も送りません。',
  browserMissing: 'このブラウザーにはありません。',
  server: 'サーバー',
  serverHelp: 'Ollama、LM Studio、vLLM、llama.cpp など、OpenAI のインターフェースを持つもの。',
  address: 'アドレス',
  addressHint: 'http://127.0.0.1:11434/v1',
  list: 'モデルを一覧',
  listed: (n) => `${n} 個のモデルがあります。`,
  model: 'モデル',
  key: 'キー',
  keyHelp: '（必要な場合。タブを閉じるまで保持し、保存しません）',
  window: '扱える量',
  longest: '回答の最大長',
  tokens: (n) => `${n} トークン`,
  test: '試す',
  testing: '試しています…',
  works: (text) => `応答しました：「${text}」`,
  sends: (host) => `尋ねるたびに、質問と引用した段落が${host}へ送られます。`,
  thatServer: 'そのサーバー',
  mayTalkOwn: 'このページは自分のアドレスとだけ通信できます。セキュリティポリシーが保証します。',
  mayTalk: (origins) =>
    `このページは自分のアドレスと ${origins} とだけ通信できます。セキュリティポリシーが保証します。`,
  allow: (origin) => `許可するには「npm run demo -- --connect ${origin}」で起動してください。`,
  refused: (origin, allowed) =>
    `このページは ${origin} と通信できません。セキュリティポリシーは${allowed}を許しています。`,
  ownOnly: '自分のアドレスだけ',
  only: (origins) => `${origins} だけ`,
  noModel:
    'このブラウザーには言語モデルがありません。Chrome には 148 版から、動かせる端末で備わります。',
  giveAddress: 'サーバーのアドレスを入力してください。例：/v1 や http://127.0.0.1:11434/v1',
  giveName: 'サーバーでのモデル名を入力してください。',
  inBrowser: 'このブラウザーのモデル',
  at: (name, host) => `${host} の ${name}`,
  stateOff: '回答は文書からの引用です。',
  stateBrowser: 'このブラウザーのモデルが書きます。何も送りません。',
  stateServer: (host) => `${host} が書きます。質問と引用が送られます。`,
  change: '変更',
}
