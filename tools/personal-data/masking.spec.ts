import { describe, expect, it } from 'vitest';
import { textDetectors } from './detectors/all.js';
import type { Detector } from './finding.js';
import { maskText } from './masking.js';

const letter =
  (sought: string): Detector =>
  ({ text }) => {
    const start = text.indexOf(sought);
    return start < 0 ? [] : [{ kind: 'person', start, end: start + 1 }];
  };
const mask = (text: string, ...detectors: Detector[]) => maskText(text, detectors, (_kind, value) => `<${value}>`);

describe('masking', () => {
  it('returns a text unchanged if nothing is found in it', () => {
    expect(mask('abc', letter('x'))).toEqual({ text: 'abc', left: undefined });
  });

  it('keeps masks in order and separate from words, whichever is found first', () => {
    expect(mask('1a2b3', letter('b'), letter('a')).text).toBe('1 <a> 2 <b> 3');
    expect(mask('ba', letter('a'), letter('b')).text).toBe('<b> <a>');
  });

  it('continues until nothing is found, and masks nothing within a mask', () => {
    expect(mask('aaa', letter('a'))).toEqual({ text: '<a> <a> <a>', left: undefined });
  });

  it('masks the first and longest of overlapping findings', () => {
    expect(
      mask('abcd', () => [
        { kind: 'card', start: 1, end: 3 },
        { kind: 'card', start: 0, end: 2 },
        { kind: 'card', start: 0, end: 3 },
      ]).remaining,
    ).toBe('card');
    const once: Detector = ({ text }) =>
      text.length < 4
        ? []
        : [
            { kind: 'card', start: 1, end: 3 },
            { kind: 'card', start: 0, end: 2 },
            { kind: 'card', start: 0, end: 3 },
          ];
    expect(mask('abcd', once).text).toBe('<abc> d');
  });

  it('returns the remaining kind if it does not finish', () => {
    expect(mask('aaaaaaaa', letter('a')).remaining).toBe('person');
  });
});

describe('a hostile text of 100,000 characters', () => {
  const LENGTH = 100_000;
  it.each([
    '1',
    '1 ',
    '4 ',
    '12-',
    'a',
    'A',
    'a.',
    'a@',
    '@',
    'a1',
    'DE89',
    '+49 ',
    '(',
    'tel ',
    'tel 1',
    'von ',
    'Mr A',
    'Anna ',
    '1 a ',
    '12 High Street ',
    'strasse 1 ',
    'Str.',
    'st ',
    '1 rue ',
    'konto nr ',
    '1234-',
    '12345678-',
    'bsb 1',
    'clearing 1234 ',
    'Garcia ',
    'GARCIA DE ',
    'routing ',
    'steuer-id ',
    '\u200b',
    '０',
    'ABCDEF85',
    '00 49 ',
    'd.d-',
  ])('is masked in linear time: %j repeated', (part) => {
    // Ends with a digit and an @, because most detectors skip texts without them.
    const text = `${part.repeat(LENGTH / part.length)} 1@`;
    // Processor time, because on a busy machine others have the processor meanwhile.
    const begin = process.cpuUsage();
    maskText(text, textDetectors(), () => '#');
    const { user, system } = process.cpuUsage(begin);
    expect((user + system) / 1000).toBeLessThan(5_000);
  });
});
