/** WebVTT and SubRip: speech by speaker, with the time in front of each paragraph. */
import { decodeText } from './decode.ts'
import { oneDocument, type Reader } from './reader.ts'

const TIMES =
  /^(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,]\d{1,3}\s*-->\s*(?:\d{1,3}:)?\d{1,2}:\d{2}[.,]\d/
/** Seconds of speech in a paragraph, and the silence that ends one. */
const PARAGRAPH = 45
const PAUSE = 8

export const readSubtitles: Reader = async (file, context) => {
  const text = await decodeText(await file.bytes(), file.path, context)
  const paragraphs: string[] = []
  let began = -Infinity,
    last = -Infinity,
    speaker = ''
  for (const { seconds, words } of cues(text)) {
    const named = /^<v(?:\.[^\s>]*)?\s+([^>]{1,80})>/.exec(words),
      plain = plainCue(words)
    if (plain === '') continue
    const turn = named !== null && named[1] !== speaker
    if (named !== null) speaker = named[1]!
    const said = turn ? `${speaker}: ${plain}` : plain
    if (turn || seconds - began > PARAGRAPH || seconds - last > PAUSE) {
      paragraphs.push(`[${clock(seconds)}] ${said}`)
      began = seconds
    } else paragraphs.push(`${paragraphs.pop() ?? ''} ${said}`)
    last = seconds
  }
  return oneDocument(file.path, '', paragraphs.join('\n\n'), { kind: 'subtitles' })
}

function* cues(text: string): Generator<{ readonly seconds: number; readonly words: string }> {
  let seconds = -1
  let words: string[] = []
  for (const line of [...text.split(/\r\n|\r|\n/), '']) {
    const times = TIMES.exec(line.trim())
    if (times !== null) {
      seconds = Number(times[1] ?? 0) * 3600 + Number(times[2]) * 60 + Number(times[3])
      words = []
    } else if (line.trim() === '') {
      if (seconds >= 0 && words.length > 0) yield { seconds, words: words.join(' ') }
      seconds = -1
    } else if (seconds >= 0) words.push(line.trim())
  }
}

function plainCue(words: string): string {
  return words
    .replace(/<[^<>]{0,200}>|\{\\[^{}]{0,80}\}/g, '')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&nbsp;', ' ')
    .trim()
}

function clock(seconds: number): string {
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}
