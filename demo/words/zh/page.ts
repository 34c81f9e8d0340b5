/** 页面框架与对话框的中文。 */
import type { Words } from '../words.ts'

export const page: Words['page'] = {
  heading: 'hubmesh：询问你自己的文档',
  claimOwn: '询问你自己的文档。任何内容都不会离开本设备。',
  claimAgents: '询问你自己的文档。本页不发送任何内容；此浏览器中的代理可以读取它们。',
  claimServer: '询问你自己的文档。回答来自你选择的服务器。',
  settings: '设置',
  language: '语言',
  documents: '文档',
  details: '详情',
  close: '关闭',
  cancel: '取消',
  dropAnywhere: '把文件或文件夹拖到任意位置',
  copy: '复制',
  copied: '已复制',
  notAllowed: '不允许',
  copiedWhat: (what) => `已复制${what}。`,
  copyRefused: '浏览器不允许复制。',
  openPanel: '显示依据',
}

export const problemWords: Words['problemWords'] = {
  retry: '重试',
  reload: '重新加载页面',
  memory: '在内存中继续',
  resume: '重试',
  forget: '从列表中移除',
  reembed: '重新计算语义',
  details: '详情',
}

export const link: Words['link'] = {
  region: '一个链接想要打开文集',
  refusedTitle: '带你来到这里的链接无法打开',
  refusedLength: '它比本页生成的链接更长。',
  refusedAddress:
    '它的地址不是网络地址：保存的文集只能从 http 和 https 地址打开，且地址中不能含有用户名和密码。',
  refusedHelp: '没有获取任何内容，也没有改动任何内容。请向发送者索取文件，然后拖到这里。',
  understood: '知道了',
  openQuestion: '打开',
  alreadyHere: (name) => `“${name}”已经在这里`,
  fetched: (where) =>
    `你通过链接来到这里。文集将从${where}获取并保存在本设备上；只有信任链接的发送者时才打开。`,
  thisSite: '本站',
  unreachable: (origin) =>
    `它位于 ${origin}，而本页只能从自己的地址获取内容。请在那里下载文件，然后拖到这里。`,
  thenAsked: '随后将提问：',
  open: '打开',
  goThere: '前往',
  notNow: '暂不',
}

export const settings: Words['settings'] = {
  title: '设置',
  save: '保存',
  agents: '此浏览器中的代理',
  agentsMay: '允许它们读取打开的文档',
  conversation: '对话',
  keepThread: '在本设备上保留问题和回答',
  keepThreadHelp: '它们与文集一起保存、一起删除。否则随此标签页结束。',
  developer: '开发者设置',
  index: '语义检索',
  indexAuto: '自动',
  indexExact: '精确：与每个段落比较',
  indexHnsw: 'HNSW：在很大的文集中更快，结果近似',
  indexHelp: '下次打开文集时生效。',
  install: '安装为应用',
  languageHelp: '引擎自身的消息仍为英文。',
  wipe: '删除本设备上的全部内容',
}

export const wipe: Words['wipe'] = {
  title: '删除本设备上的全部内容',
  lead: (n) =>
    n === 0
      ? '将删除设置和页面的离线文件。'
      : `将删除 ${n} 个文集及其全部文档、对话、设置和页面的离线文件。`,
  undo: '此操作无法撤销。请先保存想保留的内容。',
  others: (names) => `该文件只包含打开的文集。要保存其他文集，请先打开：${names}。`,
  saveFirst: (name) => `将“${name}”保存为文件`,
  sure: '全部删除',
  going: '正在删除…',
  failed: (names) => `未删除：${names}。请关闭本页的其他标签页后重试。`,
}

export const share: Words['share'] = {
  title: (name) => `分享${name}`,
  save: '保存为文件。',
  saveHelp: '文件包含文本、名称和语义：得到它的人可以阅读这些文档。',
  saveFile: '保存文件',
  saving: '正在保存',
  put: '把它放到服务器上，',
  putHelp: '最好与本页放在一起，并写明位置：',
  address: '已保存文集的地址',
  noAddress: '这不是一个地址。',
  unreachable: (origin) =>
    `本页不能从 ${origin} 获取内容：安全策略只允许自己的地址。该链接在允许的页面上有效。`,
  send: '发送链接。',
  sendHelp: '打开链接的人会先被询问。',
  askThere: (question) => `在那里提问“${question}”`,
  link: '链接',
}

export const models: Words['models'] = {
  title: '语言模型',
  button: '语言模型',
  lead: '它根据找到的引文撰写回答。没有它，页面同样可用。',
  off: '无',
  offHelp: '回答就是引文。不向任何地方发送内容。',
  browser: '此浏览器自带的模型',
  browserHere: '在本设备上运行；不发送任何内容。',
  browserMissing: '此浏览器没有。',
  server: '服务器',
  serverHelp: 'Ollama、LM Studio、vLLM、llama.cpp 或任何提供 OpenAI 接口的服务器。',
  address: '地址',
  addressHint: 'http://127.0.0.1:11434/v1',
  list: '列出其模型',
  listed: (n) => `那里有 ${n} 个模型。`,
  model: '模型',
  key: '密钥',
  keyHelp: '（如果需要；保留到此标签页关闭为止，从不保存）',
  window: '可容纳',
  longest: '最长回答',
  tokens: (n) => `${n} 个词元`,
  test: '测试',
  testing: '正在测试…',
  works: (text) => `它回答了：“${text}”`,
  sends: (host) => `每次提问时，你的问题和引用的段落都会发送到${host}。`,
  thatServer: '该服务器',
  mayTalkOwn: '本页只能与自己的地址通信；由安全策略保证。',
  mayTalk: (origins) => `本页只能与自己的地址和 ${origins} 通信；由安全策略保证。`,
  allow: (origin) => `用“npm run demo -- --connect ${origin}”启动即可允许。`,
  refused: (origin, allowed) => `本页不能与 ${origin} 通信：安全策略允许${allowed}。`,
  ownOnly: '仅自己的地址',
  only: (origins) => `仅 ${origins}`,
  noModel: '此浏览器没有自带语言模型。Chrome 从 148 版起，在能够运行的设备上提供。',
  giveAddress: '请填写服务器地址，例如 /v1 或 http://127.0.0.1:11434/v1。',
  giveName: '请填写模型名称，与服务器上的名称一致。',
  inBrowser: '此浏览器中的模型',
  at: (name, host) => `${host} 上的 ${name}`,
  stateOff: '回答是你的文档中的引文。',
  stateBrowser: '由此浏览器中的模型撰写。不发送任何内容。',
  stateServer: (host) => `由${host}撰写：问题和引文会发送到那里。`,
  change: '更改',
}
