import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageFolder } from '../../kernel/package-folder.js';
import { catalogueOf, REFERENCE } from './catalogues.js';
import { problemsOf } from './declare-wording.js';

const LANGUAGES = readdirSync(join(packageFolder(), 'wording')).map((file) => basename(file, '.json'));
const TRANSLATIONS = LANGUAGES.filter((language) => !language.startsWith('en-'));
const english = catalogueOf(REFERENCE)!;

/** Words that are the same in English and in another language. */
const SHARED: Readonly<Record<string, readonly string[]>> = {
  de: [
    'Browser',
    'Code',
    'Details',
    'Format',
    'Hotels',
    'Id',
    'Integration',
    'Layout',
    'Layouts',
    'Name',
    'Operation',
    'Organisation',
    'Problem',
    'Schema',
    'Software',
    'Status',
    'Test',
    'Webhooks',
    '{title}: {counts}.',
    '{value} {unit, select, KB {KB} MB {MB} other {GB}}',
    'Passkey',
    'Passkeys',
    'Region (S3)',
  ],
  fr: [
    'A. Personnel',
    'Action',
    'Actions',
    'Active',
    'Application',
    'Applications',
    'Code',
    'Date',
    'Description',
    'E-mail',
    'Format',
    'Guides',
    'Id',
    'Invitation',
    'Menu',
    'Messages',
    'Net',
    'Note',
    'Organisation',
    'Pages',
    'Secret',
    'Signature',
    'Signatures',
    'Source',
    'Test',
    'Total',
    'Total {what}',
    'Webhooks',
    '{state}, version {version, number}',
    'Destinations',
  ],
  es: [
    'Control',
    'Endpoint',
    'Id',
    'manual',
    'no',
    'No',
    'Plan',
    'Ref.',
    'Roles',
    'Software',
    'Total',
    'Total {what}',
    'Webhooks',
    '{count, plural, one {# byte} other {# bytes}}',
    '{title}: {counts}.',
    '{value} {unit, select, KB {KB} MB {MB} other {GB}}',
  ],
  nl: [
    'Browser',
    'Claim',
    'Code',
    'Details',
    'E-mail',
    'Endpoint',
    'Headers',
    'Hotels',
    'Id',
    'is',
    'Menu',
    'Project',
    'project',
    'Record',
    'Schema',
    'Software',
    'Status',
    'Test',
    'Water',
    'Webhooks',
    '{count, plural, one {# byte} other {# bytes}}',
    '{title} in {year}',
    '{title}: {counts}.',
    '{value} {unit, select, KB {KB} MB {MB} other {GB}}',
    'Passkey',
    'Passkeys',
  ],
};

describe('the catalogue of', () => {
  it('each language is a file', () => {
    expect(LANGUAGES.toSorted()).toEqual(['de', 'en-GB', 'en-US', 'es', 'fr', 'nl']);
    expect(english.size).toBeGreaterThan(200);
  });

  it.each(LANGUAGES)('%s has every text, with the arguments of English and the forms of its plurals; that of a region some', (language) => {
    expect(problemsOf(language, catalogueOf(language)!, language !== 'en-US')).toEqual([]);
  });

  it('a region has only what differs', () => {
    expect([...catalogueOf('en-US')!].filter(([key, text]) => english.get(key) === text)).toEqual([]);
  });

  it.each(TRANSLATIONS)('%s is translated', (language) => {
    const same = new Set([...catalogueOf(language)!].filter(([key, text]) => english.get(key) === text).map(([, text]) => text));
    expect([...same].sort()).toEqual([...SHARED[language]!].sort());
  });

  it.each(TRANSLATIONS)('%s has no text that is much longer than in English, where it would not fit', (language) => {
    const long = [...catalogueOf(language)!].filter(([key, text]) => text.length > 2 * english.get(key)!.length + 20);
    expect(long).toEqual([]);
  });

  it.each(LANGUAGES)('%s has names of sheets that workbooks allow', (language) => {
    const names = [...catalogueOf(language)!].filter(([key]) => key.startsWith('workbook.sheets.'));
    expect(names.filter(([, name]) => name.length > 31 || /[':\\/?*[\]]/.test(name))).toEqual([]);
  });
});

describe('what is wrong with a text', () => {
  const problems = (language: string, key: string, text: string) => problemsOf(language, new Map([[key, text]]), false);

  it.each([
    ['de', 'report.titel', 'Bericht', 'these texts are not known: report.titel'],
    ['de', 'report.title', ' ', 'report.title is empty'],
    ['de', 'report.page', 'Seite {page} von {count', 'report.page is not in ICU MessageFormat (EXPECT_ARGUMENT_CLOSING_BRACE)'],
    ['de', 'report.page', 'Seite {page}', 'report.page says nothing of: count'],
    ['de', 'report.title', 'Bericht {page}', 'report.title asks for what is not there: page'],
    ['de', 'report.totalOf', '{what, number}', 'report.totalOf counts what is no number: what'],
    ['de', 'report.summary.otherCurrency', 'Zeilen in {currency}', 'report.summary.otherCurrency says nothing of: currency none'],
    ['pl', 'report.summary.furtherCategories', '{count, plural, one {#} other {#}}', /lacks the form “few” of count/],
    ['fr', 'report.summary.furtherCategories', '{count, plural, =1 {une} other {#}}', /lacks the form “one” of count/],
    ['de', 'report.method.balances', '{all, number, percent} {agreeing}', 'report.method.balances has a format for all'],
    [
      'de',
      'report.findings.other_currencies',
      '{count, plural, one {eine} other {{currency, select, none {# Zeilen} other {# in {currency}}}}}',
      'report.findings.other_currencies has a # that is no number: write {…, number}',
    ],
  ])('of %s is said: %s', (language, key, text, problem) => {
    expect(problems(language, key, text).join('; ')).toMatch(problem);
  });

  it('is nothing if it says the same with other plurals', () => {
    const text = '{count, plural, one {# inna} few {# inne} many {# innych} other {# innej}}';
    expect(problems('pl', 'report.summary.furtherCategories', text)).toEqual([]);
    expect(problems('ja', 'report.summary.furtherCategories', 'ほか{count, number}')).toEqual([]);
    expect(problems('de', 'report.page', "Seite {page} von '{'{count}'}' <b>")).toEqual([]);
  });
});
