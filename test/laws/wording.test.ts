import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { catalogueOf, REFERENCE } from '../../src/api/wording/catalogues.js';
import { insideOf } from '../../src/api/wording/messages.js';

const english = catalogueOf(REFERENCE)!;
const GROUPS = new Set([...english.keys()].map((key) => key.split('.')[0]!));
const argumentsOf = (key: string): string[] =>
  [...insideOf(english.get(key)!, REFERENCE).uses].filter((name) => !name.includes(' ')).sort();

/** Sentences about findings take what they say from the finding: their types and `sentences.spec.ts` prove it. */
/** Texts of declarations are themselves their keys. */
const DECLARED = 'declared.';

const PROVEN_ELSEWHERE = /^report\.findings\./;

interface Use {
  readonly keys: readonly string[];
  /** undefined if the call does not show them. */
  readonly given: readonly string[] | undefined;
}

/** Where a source names texts, and what it gives to those that it says at once. */
function usesIn(source: string): Use[] {
  const uses: Use[] = [];
  const visit = (node: ts.Node): void => {
    const keys = keysOf(node);
    if (keys !== undefined) {
      const given = givenAt(node);
      // A type may leave some of those out that a template could be. A text that fits none of its templates is said nowhere.
      const fitting = keys.filter((key) => isGiven(key, given));
      uses.push({ keys: fitting.length === 0 ? keys : fitting, given });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('source.tsx', source, ts.ScriptTarget.Latest, true));
  return uses;
}

const isGiven = (key: string, given: Use['given']): boolean => PROVEN_ELSEWHERE.test(key) || given?.join() === argumentsOf(key).join();

/** Those that a literal or a template may be; undefined if it is about something else. */
function keysOf(node: ts.Node): string[] | undefined {
  if (ts.isStringLiteralLike(node)) return english.has(node.text) ? [node.text] : undefined;
  if (!ts.isTemplateExpression(node) || !GROUPS.has(node.head.text.split('.')[0]!) || !node.head.text.includes('.')) return undefined;
  const literals = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
  const pattern = new RegExp(`^${literals.map((text) => text.replaceAll('.', '\\.')).join('[^.]+')}$`);
  return [...english.keys()].filter((key) => pattern.test(key));
}

function givenAt(node: ts.Node): string[] | undefined {
  const call = node.parent;
  const isSaid = ts.isCallExpression(call) && call.arguments[0] === node && /(^|\.)say$/.test(call.expression.getText());
  const about = isSaid ? call.arguments[1] : undefined;
  if (about === undefined) return [];
  if (!ts.isObjectLiteralExpression(about) || !about.properties.every(({ name }) => name !== undefined)) return undefined;
  return about.properties.map(({ name }) => name!.getText()).sort();
}

const faultsOf = (uses: readonly Use[]): string[] =>
  uses.flatMap(({ keys, given }) =>
    keys
      .filter((key) => !isGiven(key, given))
      .map((key) => `${key} needs (${argumentsOf(key).join(', ')}), and is given (${given?.join(', ') ?? 'what cannot be seen'})`),
  );

const readSources = (): string[] =>
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    // Extensions have words of their own.
    .filter((file) => /^(?!extensions\/).*(?<!\.spec)\.tsx?$/.test(file) && !file.includes('fixtures/'))
    .map((file) => readFileSync(join('src', file), 'utf8'));
const sources = readSources().filter((text) => [...GROUPS].some((group) => text.includes(`'${group}.`) || text.includes(`\`${group}.`)));
const uses = sources.flatMap(usesIn);

it('every text is given what it is about', () => {
  expect(uses.length).toBeGreaterThan(100);
  expect(faultsOf(uses)).toEqual([]);
});

it('every text is said somewhere', () => {
  const said = new Set(uses.flatMap(({ keys }) => keys));
  expect([...english.keys()].filter((key) => !isDeclared(key) && !said.has(key))).toEqual([]);
});

it('every text of a declaration stands in one, or is the name of a field or an action in words', () => {
  // A long text is joined of several literals.
  const all = [
    ...readSources(),
    ...['codes/problems.json', 'codes/audit-actions.json', 'codes/sign-on-refusals.json', 'templates/categories.json'].map((file) =>
      readFileSync(file, 'utf8'),
    ),
  ]
    .join('\n')
    .replace(/['`]\s*\+\s*['`]/g, '')
    .replace(/\\?`/g, '');
  const names = new Set([...all.matchAll(/[A-Za-z_]{3,}(?:\.[a-z_]+)?/g)].map(([name]) => bare(name)));
  const declared = [...english.keys()].filter(isDeclared).map((key) => key.slice(DECLARED.length));
  expect(declared.length).toBeGreaterThan(100);
  expect(declared.filter((text) => !isIn(all, text) && !names.has(bare(text)))).toEqual(OF_PARTS);
});
/** What stands nowhere, because it is made of several parts. */
const OF_PARTS = [
  'An API key expires: 7 days and 24 hours before.',
  'Expense category',
  'The project has more than 200 active categories. Programs can copy them with the API.',
  'The project has more than 200 configurations. Programs can copy them with the API.',
  'This needs the plan enterprise.',
];
const isDeclared = (key: string): boolean => key.startsWith(DECLARED);
/** Numbers in a text may come from a constant. */
const isIn = (all: string, text: string): boolean =>
  text.split(/\d[\d,]*/).every((part) => all.includes(part.trim()) || all.includes(part.trim().replaceAll("'", "\\'")));
const bare = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');

it('notices what is missing, too much, or not to be seen', () => {
  const source = `
    say('report.page', { page, count: 1 });
    book.say('report.page', { page });
    const about = {};
    say('report.totalOf', about);
    say(isOne ? 'report.title' : 'report.page');
    edition.say(\`report.fields.\${name}\`, { name });`;
  expect(faultsOf(usesIn(source)).slice(0, 4)).toEqual([
    'report.page needs (count, page), and is given (page)',
    'report.totalOf needs (what), and is given (what cannot be seen)',
    'report.page needs (count, page), and is given ()',
    'report.fields.organization needs (), and is given (name)',
  ]);
});
