/** The tests of reading answers, good and bad. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lenientJson } from './lenient_json.ts'
import { readReply } from './read_reply.ts'

const triples = (raw: string) => readReply(raw)?.triples ?? null

describe("reading a model's answer", () => {
  it('takes the object it asked for', () => {
    expect(
      readReply(
        '{"entities": [{"name": "Ada", "type": "person"}, "London"], "triples": [["Ada", "lived in", "London"]]}',
      ),
    ).toEqual({
      entities: [
        { name: 'Ada', type: 'PERSON' },
        { name: 'London', type: null },
      ],
      triples: [['Ada', 'lived in', 'London']],
      malformed: 0,
      complete: true,
    })
    expect(readReply('{"triples": []}')).toEqual({
      entities: [],
      triples: [],
      malformed: 0,
      complete: true,
    })
  })

  it('takes what models write instead', () => {
    const wanted = [['Ada', 'knew', 'Babbage']]
    for (const raw of [
      '[["Ada", "knew", "Babbage"]]',
      '```json\n{"triples": [["Ada", "knew", "Babbage"],],}\n```',
      'Sure! Here {is} the [JSON]: {"triples": [["Ada", "knew", "Babbage"]]} Hope this helps ' +
        '{"triples": [["x", "y", "z"]]}',
      '<think>{"a": [1, 2]}</think>\n{"relations": [{"subject": "Ada", "predicate": "knew", "object": "Babbage"}]}',
      '{"result": {"facts": [{"head": {"name": "Ada"}, "relation": "knew", "tail": " Babbage "}]}}',
      'As {\'this is open, and then {"triples": [["Ada", "knew", "Babbage"]]}',
      "{'triples': [['Ada', 'knew', 'Babbage']]}",
      '{triples: [["Ada", "knew", "Babbage"] /* sure */,\n// more?\n]}',
      '{"triples": [["Ada", "knew", "Babbage"], ["alone"], 7, ["", "is", "x"], ["a", "b", "c", "d"]]}',
    ])
      expect(triples(raw), raw).toEqual(wanted)
    expect(readReply('{"triples": [["A", "b", "C"], ["alone"], 7]}')!.malformed).toBe(2)
  })

  it('keeps what came before an answer broke off, and never half a name', () => {
    const whole =
      '{"entities": [{"name": "Ada Lovelace", "type": "PERSON"}], "triples": [["Ada Lovelace", ' +
      '"worked with", "Charles Babbage"], ["Charles Babbage", "built", "Difference Engine"]]}'
    const all = readReply(whole)!
    for (let end = 0; end < whole.length; end++) {
      const reply = readReply(whole.slice(0, end))
      if (!reply) continue
      expect(reply.complete).toBe(false)
      expect(all.triples).toEqual(expect.arrayContaining([...reply.triples]))
      expect(all.entities.map((entity) => entity.name)).toEqual(
        expect.arrayContaining(reply.entities.map((entity) => entity.name)),
      )
      expect(reply.malformed).toBe(0)
    }
    expect(triples(whole.slice(0, whole.indexOf('], ["Charles')))).toEqual([
      ['Ada Lovelace', 'worked with', 'Charles Babbage'],
    ])
  })

  it('finds nothing in refusals, rubbish and other JSON', () => {
    for (const raw of [
      '',
      'I am sorry, but I cannot help with that.',
      '{"error": "overloaded"}',
      '{"answer": [1, 2]}',
      '[1, 2, 3]',
      '{{{{{{',
      ']]]',
      '{"triples": "none"}',
      'null',
      '{"a":',
    ])
      expect(readReply(raw), raw).toBeNull()
  })

  it('reads every JSON as JSON.parse does', () => {
    const plain = (value: unknown): unknown =>
      value instanceof Map
        ? new Map([...value].map(([key, item]) => [key as string, plain(item)]))
        : Array.isArray(value)
          ? value.map(plain)
          : value
    const mapped = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(mapped)
        : typeof value === 'object' && value !== null
          ? new Map(Object.entries(value).map(([key, item]) => [key, mapped(item)]))
          : value
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (json) => {
        const text = JSON.stringify([json])
        expect(plain(lenientJson(text, 0)!.value)).toEqual(mapped(JSON.parse(text)))
      }),
      { numRuns: 300 },
    )
  })

  it('reads any text in time that grows with its length, and never throws', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom(
            '{',
            '}',
            '[',
            ']',
            '"',
            "'",
            ',',
            ':',
            '\\',
            'a',
            ' ',
            '/',
            '*',
            '\n',
            '1',
            '“',
          ),
        }),
        (text) => {
          readReply(text)
        },
      ),
      { numRuns: 500 },
    )
    for (const text of [
      '['.repeat(100_000),
      '{"a":'.repeat(25_000),
      '{"'.repeat(50_000),
      '[1,'.repeat(40_000),
      '[/*'.repeat(30_000),
      '["a", '.repeat(20_000),
      `[${'[1],'.repeat(20_000)}{x}]`,
    ]) {
      const started = performance.now()
      readReply(text)
      expect(performance.now() - started, text.slice(0, 6)).toBeLessThan(3000)
    }
  })
})
