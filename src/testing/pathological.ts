/** Owns text that has made splitters, tokenizers and parsers slow: one unit, repeated. Refuses: being imported by anything but tests and benches. */

/** Repeated to any length; its name says what it is. */
export const UNITS: ReadonlyMap<string, string> = new Map([
  ['letters', 'a'], ['capitals', 'A'], ['digits', '1'], ['spaces', ' '], ['line ends', '\n'], ['dots', '.'], ['commas', ','], ['dashes', '-'], ['underscores', '_'], ['stars', '*'],
  ['hashes', '#'], ['bars', '|'], ['colons', ':'], ['backslashes', '\\'], ['slashes', '/'], ['ampersands', '&'], ['double quotes', '"'], ['single quotes', "'"], ['curly quotes', '“'], ['backticks', '`'],
  ['opening brackets', '['], ['closing brackets', ']'], ['opening parentheses', '('], ['opening braces', '{'], ['less-than signs', '<'], ['greater-than signs', '>'],
  ['Han', '漢'], ['Hangul', '가'], ['Thai', 'ก'], ['Japanese quotes', '「'], ['ideographic stops', '。'], ['combining marks', '\u0301'], ['a letter and a mark', 'e\u0301'], ['joiners', '\u200d'],
  ['zero-width spaces', '\u200b'], ['bidi overrides', '\u202e'], ['tag characters', '\u{e0041}'], ['half surrogates', '\ud800'], ['emoji', '😀'], ['NULs', '\0'],
  ['words of one letter', 'a '], ['names of one letter', 'A '], ['names', 'Aa Bb '], ['initials', 'A.'], ['spaced initials', 'A. '], ['abbreviations', 'a.'], ['sentences of one letter', 'a. '],
  ['apostrophes in words', "O'"], ['hyphenated names', 'A-'], ['dots and quotes', '."'], ['stops of every kind', '.!?…'], ['numbered lines', '1. a\n'], ['items', '- a\n'], ['indented items', '  - a\n'], ['headings', '# a\n'],
  ['fences', '```\n'], ['underlines', 'a\n=\n'], ['table rows', '| a |\n'], ['blank lines', 'a\n\n'], ['carriage returns', 'a\r'],
  ['broken links', '[a]('], ['nested links', '[a](b)['], ['wiki links', '[[a'], ['bracket pairs', ']('], ['code spans', '`a``'], ['emphasis', '**a'],
  ['tags', '<a'], ['open elements', '<b>'], ['comments', '<!--'], ['entities', '&amp'], ['numeric entities', '&#1'], ['closing tags', '</a'], ['attributes', '<a b="'], ['skipped elements', '<svg>'], ['titles', '<title>'],
  ['cells', 'a,'], ['quoted cells', '"a",'], ['doubled quotes', '""'], ['open cells', '"a\n'], ['keys', '{"a":'], ['lists', '[1,'], ['escapes', '"\\u0041'],
  ['forged fences', '<<<0123456789abcdef0123456789abcdef\n'], ['forged ends', '0123456789abcdef0123456789abcdef>>>\n'], ['forged numbers', '[1] '], ['control tokens', '<|a|>'],
])

/** Exactly `length` UTF-16 units. */
export function pathological(unit: string, length: number): string {
  return unit.repeat(Math.ceil(length / unit.length)).slice(0, length)
}
