/** 状态的中文：存储、网络、语义、代理；以及帮助与问题。 */
import { bytes } from '../format.ts'
import type { Words } from '../words.ts'

export const states: Words['states'] = {
  memory: '仅在内存中：关闭此标签页后即消失。',
  persisted: '已保存在本设备上：浏览器承诺不清除。',
  bestEffort: '已尽力保存在本设备上：空间不足时浏览器可能会清除。',
  unknown: '已保存在本设备上。此浏览器没有说明是否会清除。',
  full: (used, quota) =>
    `几乎已满：已用 ${bytes(used)}，共 ${bytes(quota)}。请删除一个文集以腾出空间。`,
  used: (used, quota) => `已用 ${bytes(used)}，共 ${bytes(quota)}。`,
  usedOnly: (used) => `已用 ${bytes(used)}。`,
  offline: {
    prefix: '你已离线。',
    ready: '可离线使用。',
    readyOffline: '你已离线；一切照常工作。',
    keeping: (kept, total) => `正在准备离线使用：${kept}/${total} 个文件。`,
    installing: '正在准备离线使用。',
    failed: '尚不能离线使用：有文件无法保存。下次访问时会再试。',
    unsupported: '此浏览器无法保存页面以供离线使用。',
    off: '离线使用是构建后页面的功能。',
  },
  agents: {
    missing: '此浏览器不支持：没有 WebMCP，代理无法询问本页。',
    off: '不向任何代理提供内容。',
    closed: '打开文集后即提供。',
    failed: '浏览器没有接受这些工具，因此代理无法询问本页。',
    offered: (tools) =>
      `已向此浏览器中的代理提供：${tools} 个可读取打开文档的工具。代理可能会转发所读内容。`,
  },
  quarter: (label, percent) => `${label}：${percent}%。`,
  meaning: {
    label: '语义',
    all: '语义处处参与排序。',
    none: '还没有段落。',
    loadingQuestions: '所有段落均已完成。正在加载读取问题的语义模型。',
    failedQuestions: '所有段落均已完成，但读取问题的语义模型缺失。',
    loading: '正在加载语义模型。',
    first: '正在计算最初的段落',
    left: (rate, time) => `${rate}，剩余${time}`,
    paused: '已暂停。已完成的部分已保存。',
    stopped: '已停止。',
    stoppedSaved: '已停止。已完成的部分已保存。',
    off: '没有语义模型：仅按名称和词语排序。',
    idle: '等待中。',
    following: '本页的另一个标签页正在处理。',
  },
  notes: {
    nothing: '没有找到任何内容。换个说法、添加名称，或重新包含被排除的文档。',
    noMatch: '没有与问题相符的内容：下面不是答案，只是最前面的文档。',
    noNameFull: '问题中没有已知的名称：仅按词语和语义排序。',
    noNameText: '问题中没有已知的名称：仅按词语排序。',
    notAName: (name) => `“${name}”不是这些文档中的名称。`,
    noModel: '仅按名称和词语排序：语义模型缺失。原因见其进度条。',
    soFar: (done, total) => `目前已为 ${total} 个段落中的 ${done} 个计算语义。`,
  },
}

export const pace: Words['pace'] = {
  moment: '不到一秒',
  seconds: (n) => `${n} 秒`,
  minutes: (n) => `约 ${n} 分钟`,
  hours: (n) => `约 ${n} 小时`,
  rate: (n) => `每秒 ${n}`,
}

export const help: Words['help'] = {
  documents: '添加的内容：文件、文件中的记录、粘贴的文本。',
  passages: '文档被切分为最多 200 个词元的段落。段落是排序、打包和计算语义的单位。',
  names: '在文档中找到的名称和标题。含有同一名称的段落由此相连。',
  vectors: '已计算语义的段落数及总数。其余段落在轮到之前按名称和词语排序。',
  size: '其文本和语义在本设备上大约占用的空间。浏览器只提供整个网站的总数，见“存储”。',
  date: '在本页上最近一次添加或移除文档的时间。',
  storage: '本站已存储的总量，以及浏览器允许的上限。',
  budget: '一个词元约为四个英文字符。上下文从不超出预算。',
  blockTokens: '此块连同标题占用的预算。',
  rarity: '含有该名称的段落。越少，权重越大。',
  pathShare: '从问题名称出发的游走中经过此路径的部分。路径会共用步骤，总和不必为 100%。',
  score: '各部分之和，如条形所示。得分只能在同一回答的段落之间比较。',
  sources: '列出的排序段落数。上下文可能取得更靠后的段落。',
  total: '从问题到打包上下文所用的时间，本机，本次。',
  stage: '各阶段的毫秒数。每次运行会不同；答案不会。',
  trust: '名称在多大程度上被信任来引导：覆盖问题且为标题时高，为常用词时低。',
  walk: '游走从问题中的名称出发，在名称与段落的图上展开。步数是前进次数，边是查看过的边。',
  residual: '游走中没有走到底的部分。越小越精确。',
  window: '发送给模型的词元数，以及它连同回答一次可容纳的数量。',
  shared: '同时位于两个问题路径上的名称和文档。',
}
