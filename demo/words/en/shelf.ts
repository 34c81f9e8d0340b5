/** English words of the shelf: collections, documents, additions, storage. */
import { bytes, counted, grouped } from '../format.ts'

export const shelf = {
  title: 'Your documents',
  own: 'My documents',
  sample: 'Wikipedia sample',
  drop: 'Drop files or a folder',
  dropInto: (name: string) => `Read on this device only. Goes into ${name}.`,
  dropArchive: 'A saved .hubmesh opens as a collection of its own.',
  dropArchiveInto: 'A saved .hubmesh goes there too.',
  formats:
    'Takes PDF, Word, PowerPoint, Excel, OpenDocument, EPUB, web pages, Markdown, plain text, ' +
    'tables, mail, notebooks, subtitles, source code and zip.',
  allFormats: (n: number) => `All ${n} endings`,
  files: 'Files',
  folder: 'Folder',
  paste: 'Paste text',
  filesToAdd: 'Files to add',
  folderToAdd: 'Folder to add',
  pasteTitle: 'Title',
  optional: '(optional)',
  pasteText: 'Text',
  addText: 'Add text',
  loadSample: 'Load the Wikipedia sample',
  keepSample: 'Keep the sample on this device',
  exampleNote: 'An example, not saved: 994 paragraphs of Wikipedia.',
  looking: (files: number) =>
    files > 0
      ? `Looking through what was dropped: ${counted(files, 'file')} so far.`
      : 'Looking through what was dropped.',
  gone: (n: number) => `The saved data of ${counted(n, 'collection')} are gone`,
  goneHelp: (names: string) =>
    `${names}. A browser clears them when space runs short, and when site data are deleted. ` +
    'Add the documents again, or open a saved file.',
  understood: 'Understood',
  progress: 'Progress',
  collections: 'On this device',
  none: 'No collection yet. The first documents begin one.',
  documents: (n: number) => counted(n, 'document'),
  deleteName: (name: string) => `Delete ${name}`,
  delete: 'Delete',
  deleting: 'Deleting…',
  deleteQuestion: 'Delete its documents? This cannot be undone.',
  saveFirst: 'Save a file first',
  keep: 'Keep',
  save: 'Save as a file',
  saving: 'Saving…',
  share: 'Share…',
  create: 'New collection…',
  nameOf: 'Name of the new collection',
  name: 'Name',
  createIt: 'Create',
  storage: 'Storage',
  sampleLicence: 'Sample: 994 paragraphs of Wikipedia from HotpotQA,',
}

export const list = {
  title: 'Documents',
  search: 'Search your documents',
  sort: 'Sort by',
  sorts: { title: 'Title', size: 'Size', state: 'State', added: 'Order added' },
  searchable: 'searchable',
  meaning: (done: number, total: number) => `meaning ${grouped(done)} of ${grouped(total)}`,
  refused: 'refused',
  size: (chars: number) => bytes(chars * 2),
  open: (title: string) => `Open ${title}`,
  actions: (title: string) => `More for ${title}`,
  replace: 'Replace…',
  remove: 'Remove',
  reread: 'Read again',
  removeQuestion: (title: string) => `Remove ${title}?`,
  removeHelp: (collection: string) => `Remove it from ${collection}?`,
  removing: 'Removing…',
  more: (n: number) => `Show ${counted(n, 'more document')}`,
  nothing: 'No document matches.',
  dismiss: 'Dismiss',
  fileFor: (title: string) => `File to replace ${title}`,
}

export const sync = {
  folder: 'Folder to keep in step with',
  chooseAgain: 'Choose the folder again',
  start: 'Keep a folder in step…',
  again: 'Read the folder again',
  stop: 'Stop',
  of: (folder: string) => `In step with “${folder}”.`,
  help: 'New, changed and deleted files of the folder are taken over each time it is read.',
  done: (added: number, replaced: number, removed: number) =>
    `Folder read: ${counted(added, 'new file')}, ${grouped(replaced)} changed, ${grouped(removed)} gone.`,
}

export const report = {
  added: (n: number) => `${counted(n, 'document')} added`,
  replaced: (n: number) => `${grouped(n)} replaced by a newer text`,
  unchanged: (n: number) => `${grouped(n)} already here`,
  leftAside: (n: number) => `${counted(n, 'hidden or tool file')} left aside`,
  nothing: 'Nothing was added.',
  refused: (n: number, others: boolean) =>
    `${counted(n, 'file or record', 'files or records')} could not be taken` +
    (others ? '; the others were kept' : ''),
  noted: (n: number) => `${counted(n, 'file was', 'files were')} read with a doubt`,
  more: (n: number) => `and ${grouped(n)} more.`,
  pasted: 'pasted text',
  theSample: 'the sample',
  files: (n: number) => counted(n, 'file'),
  adding: (label: string) => `Adding ${label}.`,
  addingShort: (label: string) => `Adding ${label}`,
  youCanAsk: (n: number) => `${counted(n, 'document')} added. You can ask now.`,
  lookingThrough: 'Looking through what was dropped.',
  deleted: (name: string) => `${name} deleted.`,
  saved: (name: string) => `${name} saved as a file.`,
  removed: (title: string, name: string, rest: number) =>
    `${title} removed. ${name} holds ${counted(rest, 'document')}.`,
}

/** Why a file was refused and what helps. */
export const refusals = {
  scanned: {
    why: 'It holds pictures and no text.',
    remedy: 'Run text recognition (OCR) on it, then drop it again.',
  },
  locked: { why: 'It is locked.', remedy: 'Remove its password, then drop it again.' },
  large: { why: 'It is too large.', remedy: 'Split it, and drop the parts.' },
  encoding: { why: 'It is no readable text.', remedy: 'Save it as plain text in UTF-8.' },
  format: { why: 'Its format cannot be read.', remedy: 'Save it in a format listed above.' },
  empty: { why: 'It holds no text.', remedy: 'Leave it out.' },
  damaged: {
    why: 'It is damaged, or is not what its ending says.',
    remedy: 'Save it again in the program it comes from, then drop it again.',
  },
}

export const bars = {
  searchable: 'Searchable',
  meaning: 'Meaning',
  ready: 'ready',
  of: (done: number, total: number) => `${grouped(done)} of ${grouped(total)}`,
  percentWords: (value: number, words: string) => `${value} percent, ${words}`,
  opening: (label: string) => `Opening ${label}`,
  after: (n: number) => `; ${counted(n, 'more addition')} after it`,
  cancelling: 'Cancelling',
  pause: 'Pause',
  resume: 'Resume',
  compute: 'Compute meaning',
  openingIt: 'Opening it.',
  deletingIt: 'Deleting it.',
  empty: 'Empty so far. Drop documents above.',
  rest: '; still looking for new names in older documents',
  passages: (n: number) => counted(n, 'passage'),
  names: (n: number) => counted(n, 'name'),
  metered:
    'You are on a metered connection. The meaning model weighs 23 MB; without it, names and words rank.',
  load: 'Load it (23 MB)',
  phases: {
    fetching: 'Fetching',
    reading: 'Reading',
    text: 'Finding names and words',
    saving: 'Saving',
    vectors: 'Computing meaning',
  },
  left: (time: string) => `, ${time} left`,
}
