import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { requiredTexts } from '../../../../../tools/required-texts/index.js';

describe('the required texts of a pattern', () => {
  it.each([
    ['hosting', ['HOSTING']],
    ['\\brail (ticket|berlin)\\b.*[0-9]{4}', ['RAIL TICKET', 'RAIL BERLIN']],
    ['rail|train|bus [0-9]', ['RAIL', 'TRAIN', 'BUS ']],
    ['invoice [0-9]+ of march', [' OF MARCH']],
    ['colou?r of it', ['R OF IT']],
    ['abc+de', ['ABC']],
    ['(?:cloud|hosting) services', ['CLOUD SERVICES', 'HOSTING SERVICES']],
    ['(cloud|[a-z]+host) services', [' SERVICES']],
    ['a{2,3}bcd', ['BCD']],
    ['[]x]abc', ['ABC']],
    ['u\\.s\\. (tax|fee)', ['U.S. TAX', 'U.S. FEE']],
    ['([ab]cde|fgh[ij])', ['CDE', 'FGH']],
  ])('of %s are %j', (pattern, texts) => {
    expect(requiredTexts(pattern)).toEqual(texts);
  });

  it.each([
    'ra?i?l?',
    '.*',
    '',
    'rail|.*',
    '(?i)rail ticket',
    '\\x41bcdef',
    '\\Qa|b\\Ecdef',
    'ab',
    'abc{,2}',
    '[[:alpha:]]rail',
    'rail)',
    '(rail',
    'one|two|three|four|five|six|seven|eight|nine',
  ])('of %s are unknown', (pattern) => {
    expect(requiredTexts(pattern)).toBeUndefined();
  });

  it('are in everything the pattern matches, at least one of them', () => {
    fc.assert(
      fc.property(patternWithText(), around(), around(), (given, before, after) => {
        const required = requiredTexts(given.pattern);
        const text = `${before}${given.text}${after}`;
        expect(RE2JS.compile(given.pattern, RE2JS.CASE_INSENSITIVE).test(text)).toBe(true);
        if (required)
          expect(
            required.some((part) => text.toUpperCase().includes(part)),
            `one of ${required.join(', ')} in ${text}`,
          ).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });
});

interface Sample {
  readonly pattern: string;
  /** A text that the pattern matches. */
  readonly text: string;
}

function patternWithText(): fc.Arbitrary<Sample> {
  const { sequence } = fc.letrec<{ sequence: Sample; piece: Sample; atom: Sample; group: Sample }>((tie) => ({
    sequence: fc.array(tie('piece'), { minLength: 1, maxLength: 5 }).map(joined),
    piece: fc.oneof(
      { weight: 3, arbitrary: tie('atom') },
      fc.tuple(tie('atom'), fc.constantFrom(...Object.keys(TIMES)), fc.nat(2)).map(repeated),
    ),
    atom: fc.oneof({ maxDepth: 3, withCrossShrink: true }, plainAtom(), tie('group')),
    group: fc
      .tuple(fc.constantFrom('(', '(?:'), fc.array(tie('sequence'), { minLength: 1, maxLength: 3 }), fc.nat(2))
      .map(([open, choices, chosen]) => ({
        pattern: `${open}${choices.map(({ pattern }) => pattern).join('|')})`,
        text: choices[chosen % choices.length]!.text,
      })),
  }));
  return sequence;
}

function plainAtom(): fc.Arbitrary<Sample> {
  const word = fc.constantFrom('a', 'b', 'C', 'abc', 'rail ', '1', '-', '&').map((text) => ({ pattern: text, text }));
  const [upper, lower] = [
    word.map((it) => ({ ...it, text: it.text.toUpperCase() })),
    word.map((it) => ({ ...it, text: it.text.toLowerCase() })),
  ];
  const other = fc
    .constantFrom(['.', 'x'], ['\\d', '7'], ['\\.', '.'], ['[a-c]', 'b'], ['[^b]', 'q'], ['[]a]', ']'], ['\\w', 'z'], ['\\W', ' '])
    .map(([pattern, text]) => ({ pattern: pattern, text: text }));
  return fc.oneof(word, upper, lower, other);
}

function joined(pieces: readonly Sample[]): Sample {
  return { pattern: pieces.map(({ pattern }) => pattern).join(''), text: pieces.map(({ text }) => text).join('') };
}

const TIMES: Readonly<Record<string, readonly [number, number]>> = {
  '?': [0, 1],
  '*': [0, 2],
  '*?': [0, 2],
  '+': [1, 3],
  '+?': [1, 3],
  '{2}': [2, 2],
  '{0,2}': [0, 2],
  '{1,3}': [1, 3],
};

function repeated([atom, times, more]: readonly [Sample, string, number]): Sample {
  const [fewest, most] = TIMES[times]!;
  return { pattern: `(?:${atom.pattern})${times}`, text: atom.text.repeat(Math.min(fewest + more, most)) };
}

function around(): fc.Arbitrary<string> {
  return fc.constantFrom('', ' ', 'abc', 'rail', '12');
}
