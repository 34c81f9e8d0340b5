/**
 * The drawing of one figure against corpus size as an SVG file: the same figures give the same
 * bytes. Colours follow the reader's light or dark scheme by a media query inside the file.
 */
export interface Line {
  readonly name: string
  /** Passages and value; a value of null is left out. */
  readonly points: readonly (readonly [number, number | null])[]
  /** Drawn thin and dashed: a bound, or what is compared with. */
  readonly faint?: boolean
}

export interface Chart {
  readonly title: string
  readonly unit: string
  readonly lines: readonly Line[]
  /** Values on a logarithmic scale. */
  readonly logarithmic?: boolean
}

const WIDTH = 640,
  HEIGHT = 300,
  LEFT = 64,
  RIGHT = 170,
  TOP = 40,
  BOTTOM = 40
const COLOURS = [
  ['#0b62c4', '#6cb2ff'],
  ['#b3500b', '#ffae6b'],
  ['#1d7a3d', '#6fd693'],
  ['#8a2f8f', '#e39be8'],
  ['#5a5a5a', '#b5b5b5'],
] as const

interface Scales {
  readonly x: (size: number) => number
  readonly y: (value: number) => number
  readonly sizes: readonly number[]
  readonly ticks: readonly number[]
}

export function drawChart(chart: Chart): string {
  const { title, unit, lines } = chart,
    scales = scalesOf(chart)
  const out = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" ` +
      `height="${HEIGHT}" role="img" ` +
      `aria-label="${escaped(`${title}, ${unit}, against passages`)}">`,
    `<style>${styleOf()}</style>`,
    `<rect class="b" width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<text class="t" x="${LEFT}" y="22">${escaped(title)} (${escaped(unit)})</text>`,
    ...axesOf(scales),
    ...lines.flatMap((line, i) => drawLine(line, i % COLOURS.length, scales)),
    ...labelsOf(lines, scales),
  ]
  return `${out.join('\n')}\n</svg>\n`
}

function scalesOf({ lines, logarithmic = false }: Chart): Scales {
  const all = lines.flatMap(({ points }) => points),
    sizes = [...new Set(all.map(([size]) => size))].sort((a, b) => a - b)
  const values = all.flatMap(([, value]) =>
    value === null || (logarithmic && value <= 0) ? [] : [value],
  )
  const most = niceAbove(Math.max(...values, 1e-9)),
    least = logarithmic ? 10 ** Math.floor(Math.log10(Math.min(...values, most))) : 0,
    top = logarithmic ? 10 ** Math.ceil(Math.log10(most) - 1e-9) : most
  const low = sizes[0] ?? 1,
    span = Math.log(Math.max(sizes[sizes.length - 1] ?? 2, low * 1.01) / low)
  return {
    x: (size) => LEFT + (Math.log(size / low) / span) * (WIDTH - LEFT - RIGHT),
    y: (value) =>
      HEIGHT -
      BOTTOM -
      (logarithmic
        ? Math.log(Math.max(value, least) / least) / Math.log(top / least)
        : value / top) *
        (HEIGHT - TOP - BOTTOM),
    sizes,
    ticks: logarithmic
      ? Array.from({ length: Math.round(Math.log10(top / least)) + 1 }, (_, i) => least * 10 ** i)
      : [0, 0.25, 0.5, 0.75, 1].map((part) => top * part),
  }
}

function styleOf(): string {
  const colours = (shade: 0 | 1): string =>
    COLOURS.map((pair, i) => `.c${i}{stroke:${pair[shade]}}.f${i}{fill:${pair[shade]}}`).join('')
  return (
    'text{font:12px system-ui,sans-serif;fill:#222}.t{font-weight:600;font-size:14px}' +
    `.g{stroke:#d5d5d5}${colours(0)}` +
    '@media(prefers-color-scheme:dark){text{fill:#e6e6e6}.b{fill:#16181c}' +
    `.g{stroke:#3a3d44}${colours(1)}}`
  )
}

function axesOf({ x, y, sizes, ticks }: Scales): string[] {
  return [
    ...ticks.map(
      (tick) =>
        `<line class="g" x1="${LEFT}" y1="${at(y(tick))}" x2="${WIDTH - RIGHT}" ` +
        `y2="${at(y(tick))}"/><text x="${LEFT - 8}" y="${at(y(tick) + 4)}" ` +
        `text-anchor="end">${shortNumber(tick)}</text>`,
    ),
    ...sizes.map(
      (size) =>
        `<text x="${at(x(size))}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">` +
        `${shortNumber(size)}</text>`,
    ),
    `<text x="${at((LEFT + WIDTH - RIGHT) / 2)}" y="${HEIGHT - 6}" ` +
      'text-anchor="middle">passages</text>',
  ]
}

function placesOf({ points }: Line, { x, y }: Scales): (readonly [x: number, y: number])[] {
  return points.flatMap(([size, value]) => (value === null ? [] : [[x(size), y(value)] as const]))
}

function drawLine(line: Line, colour: number, scales: Scales): string[] {
  const places = placesOf(line, scales)
  if (places.length === 0) return []
  return [
    `<polyline class="c${colour}" fill="none" ` +
      `stroke-width="${line.faint ? 1 : 2}"${line.faint ? ' stroke-dasharray="4 4"' : ''} ` +
      `points="${places.map(([px, py]) => `${at(px)},${at(py)}`).join(' ')}"/>`,
    ...(line.faint
      ? []
      : places.map(
          ([px, py]) => `<circle class="f${colour}" cx="${at(px)}" cy="${at(py)}" r="3"/>`,
        )),
  ]
}

/** Names of the lines beside their ends, moved down where they would lie on each other. */
function labelsOf(lines: readonly Line[], scales: Scales): string[] {
  let below = -Infinity
  return lines
    .flatMap((line, i) => {
      const last = placesOf(line, scales).at(-1)
      return last ? [{ y: last[1], text: line.name, colour: i % COLOURS.length }] : []
    })
    .sort((a, b) => a.y - b.y)
    .map(({ y, text, colour }) => {
      below = Math.max(y + 4, below + 15)
      return (
        `<text class="f${colour}" x="${WIDTH - RIGHT + 10}" y="${at(below)}">` +
        `${escaped(text)}</text>`
      )
    })
}

/** The next of 1, 2, 2.5, 5 times a power of ten. */
function niceAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return power * ([1, 2, 2.5, 5, 10].find((step) => step * power >= value * 0.999) ?? 10)
}

export function shortNumber(value: number): string {
  if (value >= 1000) return `${Number((value / 1000).toFixed(value >= 10_000 ? 0 : 1))}k`
  return String(Number(value.toPrecision(3)))
}

const at = (value: number): string => String(Number(value.toFixed(1)))

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
