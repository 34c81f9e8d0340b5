/** 棚の日本語：コレクション、文書、追加、保存。 */
import { bytes } from '../format.ts'
import type { Words } from '../words.ts'

export const shelf: Words['shelf'] = {
  title: 'あなたの文書',
  own: '自分の文書',
  sample: 'ウィキペディアの見本',
  drop: 'ファイルやフォルダーをドロップ',
  dropInto: (name) => `この端末だけで読みます。${name}に入ります。`,
  dropArchive: '保存した .hubmesh は独立したコレクションとして開きます。',
  dropArchiveInto: '保存した .hubmesh もそこに入ります。',
  formats:
    'PDF、Word、PowerPoint、Excel、OpenDocument、EPUB、ウェブページ、Markdown、テキスト、表、メール、ノートブック、字幕、ソースコード、zip に対応。',
  allFormats: (n) => `拡張子 ${n} 種すべて`,
  files: 'ファイル',
  folder: 'フォルダー',
  paste: '文章を貼る',
  filesToAdd: '追加するファイル',
  folderToAdd: '追加するフォルダー',
  pasteTitle: '題名',
  optional: '（任意）',
  pasteText: '本文',
  addText: '文章を追加',
  loadSample: 'ウィキペディアの見本を読み込む',
  keepSample: '見本をこの端末に残す',
  exampleNote: '保存されていない例：ウィキペディアの 994 段落。',
  looking: (files) =>
    files > 0
      ? `ドロップされた内容を調べています：これまでに ${files} 個。`
      : 'ドロップされた内容を調べています。',
  gone: (n) => `${n} 個のコレクションの保存データがなくなりました`,
  goneHelp: (names) =>
    `${names}。空きが少ないときやサイトデータの削除時に、ブラウザーが消すことがあります。文書を追加し直すか、保存したファイルを開いてください。`,
  understood: '了解',
  progress: '進み具合',
  collections: 'この端末にあるもの',
  none: 'まだコレクションはありません。最初の文書で始まります。',
  documents: (n) => `${n} 個の文書`,
  deleteName: (name) => `${name}を削除`,
  delete: '削除',
  deleting: '削除しています…',
  deleteQuestion: '文書を削除しますか。元に戻せません。',
  saveFirst: '先にファイルに保存',
  keep: '残す',
  save: 'ファイルに保存',
  saving: '保存しています…',
  share: '共有…',
  create: '新しいコレクション…',
  nameOf: '新しいコレクションの名前',
  name: '名前',
  createIt: '作成',
  storage: '保存場所',
  sampleLicence: '見本：HotpotQA によるウィキペディアの 994 段落、',
}

export const list: Words['list'] = {
  title: '文書',
  search: '文書を検索',
  sort: '並べ替え',
  sorts: { title: '題名', size: '大きさ', state: '状態', added: '追加順' },
  searchable: '検索可',
  meaning: (done, total) => `意味 ${done}/${total}`,
  refused: '拒否',
  size: (chars) => bytes(chars * 2),
  open: (title) => `${title}を開く`,
  actions: (title) => `${title}の操作`,
  replace: '置き換え…',
  remove: '取り除く',
  reread: '読み直す',
  removeQuestion: (title) => `${title}を取り除きますか？`,
  removeHelp: (collection) => `${collection}から取り除きますか？`,
  removing: '取り除いています…',
  more: (n) => `さらに ${n} 個の文書を表示`,
  nothing: '当てはまる文書はありません。',
  dismiss: '閉じる',
  fileFor: (title) => `${title}を置き換えるファイル`,
}

export const sync: Words['sync'] = {
  folder: '同期するフォルダー',
  chooseAgain: 'フォルダーを選び直す',
  start: 'フォルダーと同期…',
  again: 'フォルダーを読み直す',
  stop: 'やめる',
  of: (folder) => `「${folder}」と同期しています。`,
  help: '読むたびに、追加・変更・削除されたファイルが反映されます。',
  done: (added, replaced, removed) =>
    `フォルダーを読みました：追加 ${added}、変更 ${replaced}、削除 ${removed}。`,
}

export const report: Words['report'] = {
  added: (n) => `${n} 個の文書を追加`,
  replaced: (n) => `${n} 個を新しい本文に置き換え`,
  unchanged: (n) => `${n} 個はすでにあります`,
  leftAside: (n) => `隠しファイルやツールのファイル ${n} 個を除外`,
  nothing: '何も追加されていません。',
  refused: (n, others) =>
    `${n} 個のファイルまたは記録を受け付けられません${others ? '。他は取り込みました' : ''}`,
  noted: (n) => `${n} 個のファイルは読み取りに疑いがあります`,
  more: (n) => `ほか ${n} 個。`,
  pasted: '貼り付けた文章',
  theSample: '見本',
  files: (n) => `${n} 個のファイル`,
  adding: (label) => `${label}を追加しています。`,
  addingShort: (label) => `${label}を追加`,
  youCanAsk: (n) => `${n} 個の文書を追加しました。質問できます。`,
  lookingThrough: 'ドロップされた内容を調べています。',
  deleted: (name) => `${name}を削除しました。`,
  saved: (name) => `${name}をファイルに保存しました。`,
  removed: (title, name, rest) =>
    `${title}を取り除きました。${name}には ${rest} 個の文書があります。`,
}

export const refusals: Words['refusals'] = {
  scanned: {
    why: '画像だけで、文字がありません。',
    remedy: '文字認識（OCR）をしてから、もう一度ドロップしてください。',
  },
  locked: {
    why: 'パスワードか暗号で保護されています。',
    remedy: 'パスワードを外してから、もう一度ドロップしてください。',
  },
  large: { why: '大きすぎます。', remedy: '分割してドロップしてください。' },
  encoding: {
    why: '読める文字コードではありません。',
    remedy: 'UTF-8 のテキストとして保存してください。',
  },
  format: { why: 'この形式は読めません。', remedy: '上の形式で保存してください。' },
  empty: { why: '文字がありません。', remedy: '追加する必要はありません。' },
  damaged: {
    why: '壊れているか、拡張子と違う形式です。',
    remedy: '元のソフトで保存し直してください。',
  },
}

export const bars: Words['bars'] = {
  searchable: '検索',
  meaning: '意味',
  ready: '準備完了',
  of: (done, total) => `${done}/${total}`,
  percentWords: (value, text) => `${value}%、${text}`,
  opening: (label) => `${label}を開いています`,
  after: (n) => `。続けて ${n} 件`,
  cancelling: '取り消し中',
  pause: '一時停止',
  resume: '再開',
  compute: '意味を計算',
  openingIt: '開いています。',
  deletingIt: '削除しています。',
  empty: 'まだ空です。上に文書をドロップしてください。',
  rest: '。以前の文書で新しい名前を探しています',
  passages: (n) => `${n} 段落`,
  names: (n) => `${n} 個の名前`,
  metered: '従量制の接続です。意味モデルは 23 MB です。なくても名前と語で順位を付けます。',
  load: '読み込む（23 MB）',
  phases: {
    fetching: '取得中',
    reading: '読み込み中',
    text: '名前と語を調べています',
    saving: '保存中',
    vectors: '意味を計算中',
  },
  left: (time) => `、残り${time}`,
}
