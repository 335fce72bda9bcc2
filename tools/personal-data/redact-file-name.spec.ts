import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wordList } from './word-lists.js';
import { keyOf } from './fixtures/lines.js';
import { emails, ibans } from './fixtures/numbers.js';
import { isOrdinaryInFileName } from './names/word-kinds.js';
import { MAX_FILE_NAME_LENGTH, redactFileName } from './redact-file-name.js';
import { tokenOf } from './tokens/tokens.js';

const key = keyOf('a');
const redacted = (name: string) => redactFileName(name, key);
const person = (name: string) => tokenOf(key, 'person', name);
const account = (number: string) => tokenOf(key, 'account', number);

describe('the name of a file', () => {
  it.each([
    [
      'DE89370400440532013000_Max_Mustermann_Kontoauszug.csv',
      `${account('DE89370400440532013000')}_${person('Max Mustermann')}_Kontoauszug.csv`,
    ],
    ['kontoauszug-mustermann-max-2026-01.csv', `kontoauszug-${person('mustermann max')}-2026-01.csv`],
    ['MaxMustermann.csv', `${person('MaxMustermann')}.csv`],
    ['Statement of Jürgen Müller.xml', `Statement of ${person('Jürgen Müller')}.xml`],
    ['M_Mustermann.sta', `${person('M Mustermann')}.sta`],
    ['Quispe_Xiadani_Extracto.csv', `${person('Quispe Xiadani')}_Extracto.csv`],
    ['max.mustermann@example.com.csv', '[EMAIL].csv'],
    ['DE89 3704 0044 0532 0130 00.csv', `${account('DE89370400440532013000')}.csv`],
    ['Umsaetze_0532013000_20260131.csv', `Umsaetze_${account('0532013000')}_20260131.csv`],
    ['4111-1111-1111-1111_jan.csv', '[CARD]_jan.csv'],
    ['Kontoauszug_geb_01.02.1980.csv', 'Kontoauszug_geb_[BIRTH-DATE].csv'],
  ])('has no personal data after redaction, and keeps the rest: %s', (name, expected) => {
    expect(redacted(name)).toBe(expected);
  });

  it.each([
    'january.csv',
    'Kontoauszug Januar.csv',
    'Grüße_100%.csv',
    'first-quarter.csv',
    'Revolut_Statement_EUR_2026-01.csv',
    'Deutsche_Bank_Kontoauszug.csv',
    'Muster_Werkzeug_GmbH_2026.csv',
    'camt053_20260131_120000.xml',
    '550e8400-e29b-41d4-a716-446655440000.csv',
    'statement (1).ofx',
    '.csv',
    '',
  ])('is unchanged if it tells of nobody: %s', (name) => {
    expect(redacted(name)).toBe(name);
  });

  const wordsOf = (list: string) =>
    list
      .trim()
      .split(/\s+/)
      .filter((word) => !isOrdinaryInFileName(word) && /^\p{L}{3,}$/u.test(word));
  const written = fc.constantFrom<(word: string) => string>(
    (word) => word,
    (word) => word.toUpperCase(),
    (word) => `${word[0]!.toUpperCase()}${word.slice(1)}`,
  );
  const separators = fc.constantFrom('_', '-', ' ', '.', ', ', '+');
  const others = fc.constantFrom('Kontoauszug', 'statement', '2026-01', 'export', 'EUR', '(1)');
  const extensions = fc.constantFrom('.csv', '.XML', '.sta', '.ofx', '');

  it('contains no known name, IBAN or e-mail address, however they are written and joined', () => {
    const [given, family] = [wordsOf(wordList('given-names')), wordsOf(wordList('family-names'))];
    const names = fc
      .tuple(fc.constantFrom(...given), fc.constantFrom(...family), written, separators, fc.boolean())
      .map(([first, last, as, between, isTurned]) => (isTurned ? [last, first] : [first, last]).map(as).join(between));
    const secrets = fc.oneof(names, ibans, emails);
    fc.assert(
      fc.property(secrets, others, others, separators, extensions, (secret, before, after, between, extension) => {
        const name = redacted(`${before}${between}${secret}${between}${after}${extension}`);
        const kept = name.replace(/(?:PERSON|ACCOUNT)-\w{12}|\[[A-Z-]+\]/g, ' ').toUpperCase();
        for (const part of secret.split(/[_\-\s.,+@]+/).filter((word) => word.length > 2)) expect(kept).not.toContain(part.toUpperCase());
        expect(name.endsWith(extension)).toBe(true);
        // The local part of an e-mail address may have begun before it.
        if (!secret.includes('@')) expect(name).toContain(before);
      }),
      { numRuns: 500 },
    );
  });

  it('does not change when it is redacted again, and stays within its bound', () => {
    const parts = fc.oneof(
      others,
      separators,
      ibans,
      emails,
      fc.constantFrom('Max', 'Mustermann', 'a', 'ACME'),
      fc.string({ maxLength: 8 }),
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 12 }), extensions, (given, extension) => {
        const once = redacted(`${given.join('')}${extension}`);
        expect(redacted(once)).toBe(once);
      }),
      { numRuns: 500 },
    );
    expect([...redacted(`${'ä'.repeat(300)}.csv`)].length).toBe(MAX_FILE_NAME_LENGTH);
  });
});
