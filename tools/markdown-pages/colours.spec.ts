import { constantFrom, oneof, property, assert as fcAssert, string } from 'fast-check';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { describe, expect, it } from 'vitest';
import { Code } from './markdown.js';
import { coloured } from './colours.js';

const LANGUAGES = [
  'js',
  'ts',
  'go',
  'php',
  'python',
  'ruby',
  'sh',
  'sql',
  'json',
  'yaml',
  'toml',
  'ini',
  'http',
  'text',
  'constructor',
  '',
];
/** What has a meaning in some language, and whatever else. */
const part = oneof(
  constantFrom(...'"\'`\\#/*-${}[]:=;<>&\n \t', '${', '//', '/*', '*/', '--', '1', 'if', 'NULL', 'true'),
  string({ unit: 'binary' }),
);
const code = string({ unit: part, maxLength: 60 });

/** As a browser reads it. */
const textContent = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

const marked = (text: string, language: string): string[] =>
  coloured(text, language)
    .filter(([kind]) => kind)
    .map(([kind, piece]) => `${kind} ${piece}`);

describe('the colours of code', () => {
  it('leave every text as it is, in the pieces and on the page', () => {
    fcAssert(
      property(code, constantFrom(...LANGUAGES), (text, lang) => {
        expect(
          coloured(text, lang)
            .map(([, piece]) => piece)
            .join(''),
        ).toBe(text);
        const [, shown = ''] = /<code>([^]*)<\/code>/.exec(renderToString(h(Code, { code: { type: 'code', raw: '', lang, text } })))!;
        expect(textContent(shown)).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['js', 'const a = `b ${c(`d`)}`; // if', ['k const', 's `b ${c(`d`)}`', 'c // if']],
    [
      'ts',
      "if (item.default === 1_000.5) throw new Error('it\\'s // not');",
      ['k if', 'n 1_000.5', 'k throw', 'k new', "s 'it\\'s // not'"],
    ],
    ['ts', '/* if\n 1 */ { if: iffy }', ['c /* if\n 1 */']],
    ['python', 'if not x: # "no"\n  return "a#b"', ['k if', 'k not', 'c # "no"', 'k return', 's "a#b"']],
    [
      'sh',
      'for a in $B; do curl x#y "$B" -d \'{\n}\' # no\ndone',
      ['k for', 'k in', 'n $B', 'k do', 's "$B"', "s '{\n}'", 'c # no', 'k done'],
    ],
    ['json', '{ "a": "b: c", "d": [1.5, true] }', ['k "a"', 's "b: c"', 'k "d"', 'n 1.5', 'k true']],
    ['toml', '[a.b]\nc = "d" # e', ['k [a.b]', 'k c', 's "d"', 'c # e']],
    ['yaml', 'a:\n  - b: 5\n', ['k a', 'k   - b', 'n 5']],
    ['http', 'POST /a HTTP/1.1\nwebhook-id: 0199e9a4-7c1e\n\n{"a":1}', ['k POST', 'n 1.1', 'k webhook-id', 'k "a"', 'n 1']],
    ['sql', "SELECT a FROM b -- c\nWHERE d = 'E'", ['k SELECT', 'k FROM', 'c -- c', 'k WHERE', "s 'E'"]],
    ['text', 'if "a" # 1', []],
    ['constructor', 'if "a" # 1', []],
  ])('%s: %j', (language, text, expected) => {
    expect(marked(text, language)).toEqual(expected);
  });

  it('of a language that somebody has begun to write wrong end with its line', () => {
    expect(marked('a = "b\nreturn 1', 'python')).toEqual(['k return', 'n 1']);
  });
});
