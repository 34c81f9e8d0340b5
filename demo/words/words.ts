/** The language of the page: which one is spoken, and its words. English is always at hand. */
import { EN } from './en/index.ts'

export type Words = typeof EN
export type Language = 'en' | 'zh' | 'ja'
export type HelpTopic = keyof Words['help']

export const LANGUAGES: readonly { readonly id: Language; readonly name: string }[] = [
  { id: 'en', name: 'English' },
  { id: 'zh', name: '中文' },
  { id: 'ja', name: '日本語' },
]

const LOADERS: Readonly<Record<Exclude<Language, 'en'>, () => Promise<Words>>> = {
  zh: async () => (await import('./zh/index.ts')).ZH,
  ja: async () => (await import('./ja/index.ts')).JA,
}

let spoken: Words = EN

export function words(): Words {
  return spoken
}

/** Loads a language and speaks it from then on; English where its file cannot be had. */
export async function speak(language: Language): Promise<Language> {
  if (language === 'en') spoken = EN
  else
    try {
      spoken = await LOADERS[language]()
    } catch {
      spoken = EN
      return 'en'
    }
  return language
}

/** The first of a browser's languages that the page speaks. */
export function preferredLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const found = LANGUAGES.find(({ id }) => id === tag.toLowerCase().split('-')[0])
    if (found) return found.id
  }
  return 'en'
}
