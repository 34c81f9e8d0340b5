/**
 * The entry `hubmesh/element`: `<hubmesh-search src="/docs.hubmesh">`, a search box with answers over
 * an archive of the site. Importing it defines the element.
 */
import { createEngine } from '../rpc/create_engine.ts'
import type { Engine, Quote, RetrieveResult, Source } from '../types.ts'

const STYLE = `
:host { display: block; font: inherit; color: inherit }
form { display: flex; gap: .5em }
input { flex: 1; min-width: 0; font: inherit; padding: .5em .7em; border: 1px solid; border-radius: .4em;
  color: inherit; background: transparent }
button { font: inherit; padding: .5em 1em; border: 1px solid; border-radius: .4em; color: inherit;
  background: transparent; cursor: pointer }
blockquote { margin: 1em 0 0; padding-inline-start: 1em; border-inline-start: 3px solid }
mark { background: #ffe58a; color: #000 }
cite, .note { display: block; opacity: .75; font-size: .9em }
ol { padding-inline-start: 1.5em }
li { margin-top: .5em; overflow-wrap: anywhere }`

/** Words the element shows; each can be set by an attribute of its name. */
const WORDS = {
  label: 'Ask these documents',
  button: 'Ask',
  opening: 'Opening…',
  none: 'Probably not in these documents. Nearest passages:',
} as const

const SHOWN = 5
/** Characters of a source that are shown. */
const EXCERPT = 240

// A server that draws the page has no elements, and makes none.
const Base = (globalThis.HTMLElement ?? Object) as typeof HTMLElement

export class HubmeshSearch extends Base {
  static readonly observedAttributes = ['src', 'model', 'corpus']
  private readonly input = document.createElement('input')
  private readonly output = document.createElement('div')
  private opened: Promise<Engine> | null = null
  /** Number of the last question: the answer of an older one is not shown. */
  private asked = 0

  constructor() {
    super()
    const root = this.attachShadow({ mode: 'open' }),
      form = document.createElement('form'),
      button = document.createElement('button')
    styled(root)
    this.input.type = 'search'
    this.input.dir = 'auto'
    this.output.setAttribute('aria-live', 'polite')
    form.append(this.input, button)
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      void this.ask(this.input.value)
    })
    root.append(form, this.output)
  }

  connectedCallback(): void {
    this.input.placeholder = this.word('label')
    this.input.setAttribute('aria-label', this.word('label'))
    this.shadowRoot!.querySelector('button')!.textContent = this.word('button')
    void this.open().catch((error: unknown) => {
      this.fail(error)
    })
  }

  disconnectedCallback(): void {
    const { opened } = this
    this.opened = null
    void opened?.then((engine) => engine.close()).catch(() => undefined)
  }

  attributeChangedCallback(): void {
    if (!this.isConnected || this.opened === null) return
    this.disconnectedCallback()
    this.connectedCallback()
  }

  /** The engine, opened with what `src` holds; for an app that wants more than the box. */
  open(): Promise<Engine> {
    this.opened ??= this.start()
    return this.opened
  }

  /** Asks as a person does, and shows the answer. An event `hubmesh-answer` has it in `detail`. */
  async ask(question: string): Promise<RetrieveResult | null> {
    if (question.trim() === '') return null
    const number = ++this.asked
    this.input.value = question
    try {
      const engine = await this.open(),
        result = await engine.retrieve(question)
      if (number !== this.asked) return result
      this.show(result)
      this.dispatchEvent(new CustomEvent('hubmesh-answer', { detail: result, bubbles: true }))
      return result
    } catch (error) {
      if (number === this.asked) this.fail(error)
      return null
    }
  }

  private async start(): Promise<Engine> {
    const src = this.getAttribute('src') ?? '',
      corpus = this.getAttribute('corpus') ?? 'hubmesh-search'
    this.output.replaceChildren(text('p', this.word('opening'), 'note'))
    const engine = await createEngine({ corpus, model: this.getAttribute('model') })
    try {
      // what the archive no longer has goes, what is unchanged costs nothing
      if (src !== '') await engine.import(src, { onConflict: 'replace', others: 'remove' })
      if (this.asked === 0) this.output.replaceChildren()
      return engine
    } catch (error) {
      await engine.close()
      throw error
    }
  }

  private show({ answer, sources }: RetrieveResult): void {
    const quotes = answer.state === 'none' ? [] : answer.quotes,
      list = document.createElement('ol')
    list.append(...sources.slice(0, SHOWN).map(sourceItem))
    this.output.replaceChildren(
      ...quotes.map(quoteBlock),
      ...(answer.state === 'none' ? [text('p', this.word('none'), 'note')] : []),
      list,
    )
  }

  private fail(error: unknown): void {
    const told = text('p', error instanceof Error ? error.message : String(error), 'note')
    told.setAttribute('role', 'alert')
    this.output.replaceChildren(told)
  }

  private word(name: keyof typeof WORDS): string {
    return this.getAttribute(`${name}-text`) ?? WORDS[name]
  }
}

function quoteBlock({ text: whole, start, highlight, title }: Quote): HTMLElement {
  const block = document.createElement('blockquote'),
    from = highlight.start - start,
    to = highlight.end - start
  block.dir = 'auto'
  block.append(whole.slice(0, from), text('mark', whole.slice(from, to)), whole.slice(to))
  if (title !== '') block.append(text('cite', title))
  return block
}

function sourceItem({ title, text: whole }: Source): HTMLElement {
  const item = document.createElement('li')
  item.dir = 'auto'
  if (title !== '') item.append(text('strong', title), ' ')
  item.append(whole.length > EXCERPT ? `${whole.slice(0, EXCERPT)}…` : whole)
  return item
}

function text(tag: string, content: string, className = ''): HTMLElement {
  const element = document.createElement(tag)
  element.textContent = content
  if (className !== '') element.className = className
  return element
}

/** A constructed sheet needs no permission of the page's policy; older hosts take an element. */
function styled(root: ShadowRoot): void {
  if ('adoptedStyleSheets' in root && typeof CSSStyleSheet === 'function') {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(STYLE)
    root.adoptedStyleSheets = [sheet]
  } else (root as ShadowRoot).append(text('style', STYLE))
}

// On a server, where a page is only drawn, there is nothing to define it in.
if (typeof customElements !== 'undefined' && !customElements.get('hubmesh-search'))
  customElements.define('hubmesh-search', HubmeshSearch)
