/** English words of the frame of the page and of its dialogs. */
import { counted, grouped } from '../format.ts'

export const page = {
  heading: 'hubmesh: ask your own documents',
  claimOwn: 'Ask your own documents. Nothing leaves this device.',
  claimAgents:
    'Ask your own documents. This page sends nothing; agents in this browser may read them.',
  claimServer: 'Ask your own documents. Answers come from a server you chose.',
  settings: 'Settings',
  language: 'Language',
  documents: 'Documents',
  details: 'Details',
  close: 'Close',
  cancel: 'Cancel',
  dropAnywhere: 'Drop files or a folder anywhere',
  copy: 'Copy',
  copied: 'Copied',
  notAllowed: 'Not allowed',
  copiedWhat: (what: string) => `${what} copied.`,
  copyRefused: 'The browser did not allow copying.',
  openPanel: 'Show why',
}

export const problemWords = {
  retry: 'Try again',
  reload: 'Reload the page',
  memory: 'Go on in memory',
  resume: 'Try again',
  forget: 'Remove from the list',
  reembed: 'Compute meaning again',
  details: 'Details',
}

export const link = {
  region: 'A link wants to open a collection',
  refusedTitle: 'The link that brought you here cannot be opened',
  refusedLength: 'It is longer than the links this page makes.',
  refusedAddress:
    'Its address is none of the web: saved collections are opened from http and https ' +
    'addresses, without a name and a password in them.',
  refusedHelp:
    'Nothing was fetched, and nothing was changed. Ask whoever sent it for the file, and drop that here.',
  understood: 'Understood',
  openQuestion: 'Open',
  alreadyHere: (name: string) => `“${name}” is already here`,
  fetched: (where: string) =>
    `A link brought you here. The collection is fetched from ${where} and saved on this ` +
    'device; open it only if you trust who sent the link.',
  thisSite: 'this site',
  unreachable: (origin: string) =>
    `It lies at ${origin}, and this page may fetch from its own address only. Download the ` +
    'file there and drop it here instead.',
  thenAsked: 'Then it is asked:',
  open: 'Open it',
  goThere: 'Go there',
  notNow: 'Not now',
}

export const settings = {
  title: 'Settings',
  save: 'Save',
  agents: 'Agents in this browser',
  agentsMay: 'They may read the open documents',
  conversation: 'Conversation',
  keepThread: 'Keep questions and answers on this device',
  keepThreadHelp:
    'They are kept with the collection and deleted with it. Otherwise they end with this tab.',
  developer: 'Developer settings',
  index: 'Search of meaning',
  indexAuto: 'Automatic',
  indexExact: 'Exact: compares with every passage',
  indexHnsw: 'HNSW: faster in very large collections, approximate',
  indexHelp: 'Takes effect when a collection is opened next.',
  install: 'Install as an app',
  languageHelp: 'The engine’s own messages stay in English.',
  wipe: 'Delete everything on this device',
}

export const wipe = {
  title: 'Delete everything on this device',
  lead: (collections: number) =>
    collections === 0
      ? 'Settings and the page’s offline files are deleted.'
      : `${counted(collections, 'collection')} with all documents, conversations, settings and ` +
        'the page’s offline files are deleted.',
  undo: 'This cannot be undone. Save what you want to keep first.',
  others: (names: string) =>
    `The file holds the open collection alone. Open these first to save them too: ${names}.`,
  saveFirst: (name: string) => `Save “${name}” as a file`,
  sure: 'Delete everything',
  going: 'Deleting…',
  failed: (names: string) =>
    `Not deleted: ${names}. Close the other tabs of this page and try again.`,
}

export const share = {
  title: (name: string) => `Share ${name}`,
  save: 'Save it as a file.',
  saveHelp: 'It holds texts, names and meaning: whoever has it can read the documents.',
  saveFile: 'Save the file',
  saving: 'Saving',
  put: 'Put it on a server,',
  putHelp: 'best beside this page, and say where:',
  address: 'Address of the saved collection',
  noAddress: 'This is no address.',
  unreachable: (origin: string) =>
    `This page may not fetch from ${origin}: its security policy allows its own address ` +
    'only. The link works on a page that may.',
  send: 'Send the link.',
  sendHelp: 'Who opens it is asked first.',
  askThere: (question: string) => `Ask “${question}” there`,
  link: 'Link',
}

export const models = {
  title: 'Language model',
  button: 'Language model',
  lead: 'It writes an answer over the quotes that were found. The page works without one.',
  off: 'None',
  offHelp: 'Answers are quotes. Nothing is sent anywhere.',
  browser: 'The one in this browser',
  browserHere: 'On this device; nothing is sent.',
  browserMissing: 'This browser has none.',
  server: 'A server',
  serverHelp: 'Ollama, LM Studio, vLLM, llama.cpp or any other with OpenAI’s interface.',
  address: 'Address',
  addressHint: 'http://127.0.0.1:11434/v1',
  list: 'List its models',
  listed: (n: number) => `${counted(n, 'model')} there.`,
  model: 'Model',
  key: 'Key',
  keyHelp: '(if it needs one; kept until this tab closes, never saved)',
  window: 'It holds',
  longest: 'Longest answer',
  tokens: (n: number) => `${grouped(n)} tokens`,
  test: 'Test it',
  testing: 'Testing…',
  works: (words: string) => `It answers: “${words}”`,
  sends: (host: string) =>
    `Your question and the quoted passages are sent to ${host} each time you ask.`,
  thatServer: 'that server',
  mayTalkOwn: 'This page may talk to its own address only; its security policy holds it to that.',
  mayTalk: (origins: string) =>
    `This page may talk to its own address and ${origins}; its security policy holds it to that.`,
  allow: (origin: string) =>
    `To allow one, start the page with “npm run demo -- --connect ${origin}”.`,
  refused: (origin: string, allowed: string) =>
    `This page may not talk to ${origin}: its security policy allows ${allowed}.`,
  ownOnly: 'its own address only',
  only: (origins: string) => `only ${origins}`,
  noModel:
    'This browser brings no language model. Chrome does, from version 148 on, on machines that can run it.',
  giveAddress: 'Give the address of the server, as /v1 or http://127.0.0.1:11434/v1.',
  giveName: 'Give the name of the model, as the server calls it.',
  inBrowser: 'the model in this browser',
  at: (name: string, host: string) => `${name} at ${host}`,
  stateOff: 'Answers are quotes from your documents.',
  stateBrowser: 'Written by the model in this browser. Nothing is sent.',
  stateServer: (host: string) => `Written by ${host}: question and quotes are sent there.`,
  change: 'Change',
}
