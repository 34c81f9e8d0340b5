/** Collapses white space as a browser shows it, and lays out blocks and tables as light Markdown. */

/** Cells a table may be filled to by merged cells. */
const MOST_CELLS = 200_000
/** Longer cells are those of a page's layout, UTF-16 units: such a table is written as prose. */
const CELL_CHARS = 2000

interface TableState {
  readonly rows: string[][]
  /** Cells that reach down from a row above: column to text and rows left. */
  readonly down: Map<number, { text: string; rows: number }>
  cells: number
  header: boolean
  /** The cell being written. */
  cell: { parts: string[]; across: number; down: number } | null
}

export class HtmlWriter {
  private readonly parts: string[] = []
  /** Line ends owed before the next word: 0, 1 or 2. */
  private breaks = 0
  private space = false
  private mark = ''
  private empty = true
  private table: TableState | null = null
  private depth = 0
  /** Where given, words are collected here as well. */
  heading: string[] | null = null

  /** Where an element opens. A mark that waits for its word keeps waiting: `<li><p>word`. */
  open(lines: 1 | 2): void {
    if (this.table?.cell) this.space = true
    else {
      if (this.mark === '') this.breaks = Math.max(this.breaks, lines)
      this.space = false
    }
  }

  /** Where an element closes: an empty mark is dropped. */
  close(lines: 1 | 2): void {
    if (this.table?.cell) this.space = true
    else {
      this.breaks = Math.max(this.breaks, lines)
      this.space = false
      this.mark = ''
    }
  }

  /** Put in front of the next word: a heading's or an item's mark. */
  prefix(mark: string): void {
    if (!this.table?.cell) this.mark = mark
  }

  words(text: string): void {
    let from = 0
    while (from < text.length) {
      let to = from
      while (to < text.length && !isHtmlSpace(text.charCodeAt(to))) to++
      if (to > from) this.word(text.slice(from, to))
      from = to
      while (from < text.length && isHtmlSpace(text.charCodeAt(from))) from++
      if (from > to) this.space = true
    }
  }

  /** Writes as it stands: inside `<pre>`. */
  verbatim(text: string): void {
    if (this.table?.cell) this.words(text)
    else if (text !== '') this.push(text)
  }

  /** A table; one inside a cell becomes words of that cell. */
  openTable(): void {
    if (this.depth++ === 0)
      this.table = { rows: [], down: new Map(), cells: 0, header: false, cell: null }
  }

  openRow(): void {
    if (this.depth !== 1 || this.table === null) return
    this.closeCell()
    this.table.rows.push([])
    this.fill(this.table)
  }

  openCell(isHeader: boolean, across: number, down: number): void {
    if (this.depth !== 1 || this.table === null) {
      this.space = true
      return
    }
    this.closeCell()
    if (this.table.rows.length === 0) this.table.rows.push([])
    if (this.table.rows.length === 1 && isHeader) this.table.header = true
    this.table.cell = { parts: [], across, down }
    this.space = false
  }

  closeCell(): void {
    const { table } = this
    if (this.depth !== 1 || table?.cell == null) return
    const { parts, across, down } = table.cell,
      text = parts.join('').trim(),
      row = table.rows.at(-1)!
    table.cell = null
    for (let i = 0; i < across && ++table.cells <= MOST_CELLS; i++) {
      if (down > 1) table.down.set(row.length, { text, rows: down - 1 })
      row.push(text)
      this.fill(table, i + 1 === across)
    }
  }

  closeTable(): void {
    if (this.depth === 0 || --this.depth > 0 || this.table === null) return
    this.depth = 1
    this.closeCell()
    this.depth = 0
    const { rows, header } = this.table
    this.table = null
    const filled = rows.filter((row) => row.some((cell) => cell !== ''))
    const width = Math.max(0, ...filled.map((row) => row.length))
    const prose = width < 2 || filled.some((row) => row.some((cell) => cell.length > CELL_CHARS))
    this.close(2)
    filled.forEach((row, i) => {
      if (prose) {
        for (const cell of row.filter((one) => one !== '')) {
          this.push(cell)
          this.close(2)
        }
        return
      }
      this.push(`| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
      this.close(1)
      if (i === 0 && (header || namesColumns(filled))) this.push(`|${' --- |'.repeat(row.length)}`)
      this.close(1)
    })
    this.close(2)
  }

  text(): string {
    return this.parts.join('').trim()
  }

  /** Takes over cells that reach into this row from above, from its next column on. */
  private fill(table: TableState, more = true): void {
    const row = table.rows.at(-1)!
    for (let cell = table.down.get(row.length); more && cell; cell = table.down.get(row.length)) {
      if (--cell.rows === 0) table.down.delete(row.length)
      row.push(cell.text)
      if (++table.cells > MOST_CELLS) return
    }
  }

  private word(word: string): void {
    const cell = this.table?.cell
    if (cell) {
      if (this.space && cell.parts.length > 0) cell.parts.push(' ')
      cell.parts.push(word)
      this.space = false
      return
    }
    if (this.table !== null && this.depth > 0) return // between the cells
    if (this.breaks === 0 && this.space && !this.empty) {
      this.parts.push(' ')
      this.heading?.push(' ')
    }
    this.push(word)
    this.heading?.push(word)
  }

  private push(text: string): void {
    if (this.breaks > 0 && !this.empty) this.parts.push('\n'.repeat(this.breaks))
    this.parts.push(this.mark, text)
    this.breaks = 0
    this.space = false
    this.mark = ''
    this.empty = false
  }
}

/** A first row of words above rows with numbers. */
function namesColumns([first, ...rest]: readonly (readonly string[])[]): boolean {
  const numeric = (cell: string): boolean => /\d/.test(cell)
  return (
    first!.every((cell) => cell !== '' && !numeric(cell)) && rest.some((row) => row.some(numeric))
  )
}

function isHtmlSpace(unit: number): boolean {
  return unit === 32 || (unit >= 9 && unit <= 13) || unit === 0xa0
}
