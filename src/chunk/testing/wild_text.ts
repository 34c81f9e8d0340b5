/**
 * Owns generated text for tests: what has broken splitters before. Refuses: being imported by
 * anything but tests.
 */
import fc from 'fast-check'

/** Text of the kinds that have broken sentence splitters, lone surrogates included. */
export const wildText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.constantFrom(
        'Dr. Smith',
        'U.S. ',
        'e.g. ',
        '... ',
        '. ',
        '.',
        '! ',
        '?',
        '"',
        "'",
        ' “Yes.” ',
        '(a.) ',
        '[1] ',
        '\n',
        '\r\n',
        '\n\n',
        '# Head\n',
        '- item\n',
        '1. one\n',
        '| a | b |\n',
        '```\n',
        '~~~\n',
        '===\n',
        '。',
        '「行く。」',
        '字字字',
        'ไทย ไทย',
        'नमस्ते। ',
        'ماذا؟ ',
        '3.14',
        'a.',
        ' ',
        '   ',
        '\u0000',
        '\ud800',
        '\udc00',
        '👩‍👩‍👧',
        '\u202e',
        '\ufeff',
        '\u2028',
        'word ',
        'Word ',
        'x'.repeat(50),
      ),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''))
