/** 对话的中文：问题、答案卡、路径、上下文、撰写的回答。 */
import type { Words } from '../words.ts'

export const ask: Words['ask'] = {
  label: '你的问题',
  placeholder: '询问你的文档',
  followUp: '继续提问',
  begin: (documents) => `这里有 ${documents} 个文档。用自己的话提问吧。`,
  ask: '提问',
  examples: '可以试试的问题',
  before: '以前问过',
  other: '其他问题',
  mentioned: '这里常提到：',
  waitDeleting: '正在删除文集',
  waitOpening: '正在准备你的文档',
  waitNone: '没有打开文集',
  waitEmpty: '还没有文档',
  looking: '正在查找…',
  about: (name) => `关于${name}说了什么？`,
}

export const welcome: Words['welcome'] = {
  lead: '拖入文档，用自己的话提问，就能看到作答的那句话和它所在的位置。',
  empty: (name) => `“${name}”是空的。把文档拖到页面上，然后提问。`,
  example: '一个示例，刚刚在本页中作答',
  own: '添加你的文档',
  sample: '加载示例',
  openSample: '打开示例',
  privacy: '你的文件在本页中读取和搜索。没有服务器，不需要账户，可离线使用。',
  loading: '正在准备示例…',
}

export const card: Words['card'] = {
  found: '答案',
  unsure: '不确定：这些最接近',
  none: '你的文档中可能没有',
  nothing: '没有找到任何内容',
  nothingHelp: '换个说法，或恢复被排除的文档。',
  unknown: (names) => `这些文档中没有这个名称：${names}。`,
  nearest: '最接近的内容',
  openPlace: '在原处打开',
  openTitle: (title) => `在原处打开${title}`,
  copyQuote: '复制引文',
  copyTitle: (title) => `复制${title}的引文及来源`,
  quote: '引文',
  page: (n) => `第 ${n} 页`,
  readAs: (question) => `理解为：${question}`,
  takenOver: (text) => `结合前文：${text}`,
  why: '为什么是这个答案',
  improving: '仍在计算语义；答案会自动改进。',
  announceFound: (title, text) => `答案来自${title}：${text}`,
  announceUnsure: '不确定。显示最接近的引文。',
  announceNone: '你的文档中可能没有。',
  improved: '答案已改进。',
  again: '再问一次',
  compare: '比较…',
}

export const path: Words['path'] = {
  title: '推理路径',
  names: '名称',
  document: '文档',
  none: '没有名称链通向这些引文：它们是通过词语和语义找到的。',
  weak: '联系较弱：仅供参考。',
}

export const context: Words['context'] = {
  title: '打包的上下文',
  used: (used, budget) => `${used} / ${budget} 个词元`,
  budget: '预算',
  tokens: (n) => `${n} 个词元`,
  block: (n, title) => `第 ${n} 块：${title}`,
  blocks: (n) => `${n} 块`,
  unfoldAll: '全部展开',
  fold: '收起',
  unfold: '展开',
  tooSmall: (budget) => `${budget} 个词元连最短的片段也放不下。请调高预算。`,
  omitted: (n) => `省略了 ${n} 个已排序的段落`,
  source: (rank) => `依据：来源 ${rank}`,
  what: '上下文',
}

export const omissions: Words['omissions'] = {
  budget: '超出预算',
  duplicate: '与已收入的段落内容相同',
  'document-share': '其文档已占满预算份额',
  'nothing-new': '没有新内容',
  relevance: '与问题关系不大',
}

export const written: Words['written'] = {
  title: '撰写的回答',
  stop: '停止',
  write: '撰写回答',
  again: '重新撰写',
  packing: (by) => `正在为${by}打包引文。`,
  reading: (by, quotes) => `${by}正在阅读 ${quotes} 条引文。`,
  stopped: '已停止。',
  cites: (numbers) => `它引用了 ${numbers}，但没有这样的引文：不要相信其前面的内容。`,
  citesNothing: '它没有引用任何内容：其说法无法证明出自你的文档。',
  silent: '模型没有回答。',
  cut: '回答达到最大长度而被截断。可在语言模型设置中调长。',
  stale: '撰写之后，下面的引文已改变。',
  by: (by) => `由${by}撰写，依据`,
  window: (used, window) => `${used} / ${window} 个词元`,
  err: '模型会出错：请核对编号。',
  quote: (n, title) => `引文 ${n}：${title}`,
  noQuote: '没有这个编号的引文',
  announce: (n) => `回答已写好，引用了 ${n} 个段落。`,
  offer: '语言模型可以根据这些引文撰写回答。',
  choose: '选择一个',
}
