import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { LANGUAGES } from '../lexical/languages.ts'
import { firsts } from '../testing/first_sources.ts'

const ENGLISH = Object.fromEntries(
  Array.from({ length: 20 }, (_, i) => [
    `english ${i}`,
    `Page ${i + 900} of the report is about the weather on the coast, and about nothing else.`,
  ]),
)

/** Language, a text, and a question with other forms of its words. */
const INFLECTED: readonly [string, string, string][] = [
  ['da', 'Husene ved havnen er røde, og det er ikke til salg af kommunen.', 'hus ved havn'],
  ['de', 'Die Häuser der Fischer stehen auf dem Hügel und sind nicht verkauft.', 'Haus Fischern'],
  ['es', 'Las casas de los pescadores son blancas, pero no para la venta.', 'casa pescador'],
  [
    'fi',
    'Kalastajien talot ovat rannalla, mutta ne ei ole myynnissä, ja se on hyvä.',
    'talo ranta',
  ],
  [
    'fr',
    'Les maisons des pêcheurs sont blanches et ne sont pas à vendre dans la ville.',
    'maison pêcheur',
  ],
  ['hu', 'A halászok házai fehérek, és nem eladók, csak egy van az utcán.', 'halász ház'],
  [
    'it',
    'Le barche dei pescatori sono bianche e non sono in vendita nella città, anche il porto.',
    'barca pescatore',
  ],
  [
    'nl',
    'De huizen van de vissers zijn wit en niet te koop, het dorp is ook een haven.',
    'huis visser',
  ],
  ['no', 'Båtene ved kaien er hvite, og det er ikke for salg etter jul.', 'båt kai'],
  ['pt', 'Os barcos dos pescadores são brancos e não são para venda.', 'barco pescador'],
  ['ro', 'Casele pescarilor sunt albe și nu sunt de vânzare în oraș.', 'pescar oraș'],
  ['ru', 'Рыбаки продали свои лодки, и это было не на рынке.', 'рыбак лодка'],
  ['sv', 'Båtarna vid kajen är vita och det är inte för försäljning.', 'båt kaj'],
  ['tr', 'Balıkçıların tekneleri beyaz ve satılık değil, bu çok eski bir liman.', 'balıkçı tekne'],
]

describe('languages', () => {
  it.each(INFLECTED)('%s: %j is found by %j', async (code, text, question) => {
    const others = Object.fromEntries(
      INFLECTED.filter(([other]) => other !== code).map(([other, text]) => [other, text]),
    )
    expect(await firsts({ ...ENGLISH, ...others, [code]: text }, [question])).toEqual([code])
  })

  it.each([
    ['Der Datenschutzbeauftragte ist nicht im Haus und wird auch nicht kommen.', 'Datenschutz'],
    ['Die Gebühr für den Liegeplatz ist nicht auf der Liste.', 'Liegeplatzgebühr'],
    [
      'De vergunning voor de haven is niet op het bureau, maar bij een ambtenaar.',
      'havenvergunning',
    ],
    ['En avgift för båtplats är inte betald och det är för sent.', 'båtplatsavgift'],
  ])('compounds: %j is found by %j', async (text, question) => {
    expect(await firsts({ ...ENGLISH, it: text }, [question])).toEqual(['it'])
  })

  it('stop words of the language of a question weigh nothing', async () => {
    const documents = {
      ...ENGLISH,
      law: 'Wo die Grenze liegt, ist nicht in der Karte und auch nicht auf dem Stein.',
      office: 'Bauaufsicht: Zimmer 14, Küchentrakt.',
    }
    expect(await firsts(documents, ['Wo ist die Bauaufsicht und wer wird sie leiten?'])).toEqual([
      'office',
    ])
  })

  /** What is asked for, the question, and questions of other things in the same words. */
  const ASKING: readonly [string, string, readonly string[]][] = [
    ['ケストレル', 'ケストレルとは何ですか？', ['鳥とは何ですか', '倉庫とは何ですか']],
    ['ケストレル', 'ケストレルについて教えてください', ['鳥について教えてください']],
    ['红隼系统', '什么是红隼系统？', ['什么是鸟', '什么是仓库']],
    ['红隼系统', '红隼系统是什么？', ['鸟是什么', '仓库是什么']],
    ['황조롱이', '황조롱이는 무엇입니까?', ['새는 무엇입니까', '창고는 무엇입니까']],
    ['เหยี่ยว', 'เหยี่ยวคืออะไร', ['นกคืออะไร', 'โกดังคืออะไร']],
  ]
  it.each(ASKING)('what only asks weighs nothing: %s in %j', async (subject, question, asked) => {
    // one passage names the subject once, in a long text; others are nothing but questions
    const documents = {
      ...Object.fromEntries(asked.map((other, i) => [`other ${i}`, other])),
      ...Object.fromEntries(
        Array.from({ length: 6 }, (_, i) => [`filler ${i}`, `${subject.slice(0, 3)}${i} 0 ${i}`]),
      ),
      it: `${'0123 4567 89 '.repeat(12)} ${subject} ${'a1 b2 c3 '.repeat(12)}`,
    }
    expect(await firsts(documents, [question])).toEqual(['it'])
  })

  it('an English corpus loads no other language', async () => {
    const loads = [...LANGUAGES.values()].map((known) => vi.spyOn(known, 'load'))
    await firsts(ENGLISH, ['What does the report say about the weather, and en route?'])
    for (const load of loads) expect(load).not.toHaveBeenCalled()
  })

  it('languages can be named, and none but those are used', async () => {
    const text = { ...ENGLISH, it: 'Häuser Fischer' }
    expect(await firsts(text, ['Haus'], { languages: ['de'] })).toEqual(['it'])
    expect(await firsts(text, ['Haus'], { languages: [] })).toEqual([''])
    await expect(firsts(text, [], { languages: ['xx'] })).rejects.toMatchObject({
      code: 'input/invalid',
    })
  })

  const input = new URL('../../../shared/cases/inputs/japanese/kestrel.txt', import.meta.url)
  it.skipIf(!existsSync(input))('the Japanese case stands first', async () => {
    const others = ['鳥', '倉庫', '魔法', '質問'].map((word, i): [string, string] => [
      `other ${i}`,
      `${word}とは何ですか。とは何ですか、とよく聞かれます。`,
    ])
    const documents = { ...Object.fromEntries(others), it: readFileSync(input, 'utf8') }
    expect(await firsts(documents, ['Kestrel とは何ですか？'])).toEqual(['it'])
  })
})
