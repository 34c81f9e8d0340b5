/** Languages beside English: their function words, and stemmers that are loaded when met. */

/** What is loaded of a language. */
export interface Language {
  readonly code: string
  /** The stem of a word in lower case, by Snowball's rules. */
  readonly stem: (word: string) => string
  readonly stopWords: ReadonlySet<string>
  /** Joins nouns into one word: `Datenschutz`. */
  readonly joins: boolean
}

interface Known {
  /** Frequent function words, each written so in few other languages; none is an English word. */
  readonly markers: readonly string[]
  readonly load: () => Promise<
    readonly [{ stemmer: (word: string) => string }, { stopwords: string[] }]
  >
  readonly joins?: true
}

const known = (markers: string, load: Known['load'], joins?: true): Known => ({
  markers: markers.split(' '),
  load,
  ...(joins && { joins }),
})

/** By ISO 639-1 code. The order breaks no tie: languages of equal evidence are all taken. */
export const LANGUAGES: ReadonlyMap<string, Known> = new Map([
  [
    'da',
    known(
      'og det ikke af til på som er med der blev også for har',
      () => Promise.all([import('@orama/stemmers/danish'), import('@orama/stopwords/danish')]),
      true,
    ),
  ],
  [
    'de',
    known(
      'und der die das nicht ist mit auf für eine wird auch sich oder den dem ein von',
      () => Promise.all([import('@orama/stemmers/german'), import('@orama/stopwords/german')]),
      true,
    ),
  ],
  [
    'es',
    known('el los las una por para más pero fue como su del que la en', () =>
      Promise.all([import('@orama/stemmers/spanish'), import('@orama/stopwords/spanish')]),
    ),
  ],
  [
    'fi',
    known(
      'ja on ei että se oli myös kun mutta ovat joka sen ole tai',
      () => Promise.all([import('@orama/stemmers/finnish'), import('@orama/stopwords/finnish')]),
      true,
    ),
  ],
  [
    'fr',
    known('les des est une dans pour qui sur avec pas la le du et aux sont', () =>
      Promise.all([import('@orama/stemmers/french'), import('@orama/stopwords/french')]),
    ),
  ],
  [
    'hu',
    known(
      'és hogy nem egy az van volt csak meg ez mint el',
      () =>
        Promise.all([import('@orama/stemmers/hungarian'), import('@orama/stopwords/hungarian')]),
      true,
    ),
  ],
  [
    'it',
    known('il che di per una sono della con non anche gli nel la dal', () =>
      Promise.all([import('@orama/stemmers/italian'), import('@orama/stopwords/italian')]),
    ),
  ],
  [
    'nl',
    known(
      'het een van niet met zijn voor ook wordt naar de op dat bij',
      () => Promise.all([import('@orama/stemmers/dutch'), import('@orama/stopwords/dutch')]),
      true,
    ),
  ],
  [
    'no',
    known(
      'og det ikke av til på som er med ble også for har etter',
      () =>
        Promise.all([import('@orama/stemmers/norwegian'), import('@orama/stopwords/norwegian')]),
      true,
    ),
  ],
  [
    'pt',
    known('os uma não para com em mais são dos pelo foi que da ao', () =>
      Promise.all([import('@orama/stemmers/portuguese'), import('@orama/stopwords/portuguese')]),
    ),
  ],
  [
    'ro',
    known('și în este cu pe din sunt pentru care nu la un au de', () =>
      Promise.all([import('@orama/stemmers/romanian'), import('@orama/stopwords/romanian')]),
    ),
  ],
  [
    'ru',
    known('и в не на что это для как от было по из он с', () =>
      Promise.all([import('@orama/stemmers/russian'), import('@orama/stopwords/russian')]),
    ),
  ],
  [
    'sv',
    known(
      'och det att som inte är för ett av på med den har till',
      () => Promise.all([import('@orama/stemmers/swedish'), import('@orama/stopwords/swedish')]),
      true,
    ),
  ],
  [
    'tr',
    known('ve bir bu için ile da çok daha değil olan de ne olarak', () =>
      Promise.all([import('@orama/stemmers/turkish'), import('@orama/stopwords/turkish')]),
    ),
  ],
])

const loaded = new Map<string, Promise<Language>>()

/** Loads a language of `LANGUAGES`, once. */
export function loadLanguage(code: string): Promise<Language> {
  let language = loaded.get(code)
  if (!language) {
    language = load(code)
    loaded.set(code, language)
    language.catch(() => loaded.delete(code))
  }
  return language
}

async function load(code: string): Promise<Language> {
  const { load, joins = false } = LANGUAGES.get(code)!,
    [{ stemmer }, { stopwords }] = await load(),
    stems = new Map<string, string>()
  return {
    code,
    joins,
    stopWords: new Set(stopwords),
    stem: (word) => {
      let stem = stems.get(word)
      if (stem === undefined) {
        stem = word.length > LONGEST ? word : stemmer(word)
        if (stems.size >= REMEMBERED) stems.clear()
        stems.set(word, stem)
      }
      return stem
    },
  }
}

/** Stems kept; and the longest word that is stemmed, as rules take time with the length. */
const REMEMBERED = 20_000,
  LONGEST = 64
