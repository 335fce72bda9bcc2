import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** Nouns of docs/glossary.md that one part of the product owns: a class or type with such a name is declared there, and nowhere else. */
const HOMES: Readonly<Record<string, RegExp>> = {
  // Reports are made of statements.
  statement: /^modules\/(statements|reports)\//,
  run: /^modules\/reports\//,
  settings: /^kernel\/settings\//,
  delivery: /^modules\/webhooks\//,
  endpoint: /^modules\/webhooks\//,
  lease: /^store\/jobs\//,
  redaction: /^modules\/statements\//,
  layout: /^modules\/statements\//,
  'evidence pack': /^modules\/reports\//,
  thread: /^store\/threads\//,
  computation: /^store\/threads\//,
  'wake-up': /^store\/jobs\//,
};

/** Names that others have given, and what is a part of something else. */
const OTHERS: Readonly<Record<string, string>> = {
  PreparedStatements: 'as Postgres calls them',
};

const glossary = new Map(
  [...readFileSync('docs/glossary.md', 'utf8').matchAll(/^\| ([a-z][a-z -]*) \| (.+) \|$/gm)].map(([, noun, what]) => [noun!, what!]),
);
/** Extensions have words of their own. */
const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) =>
  /^(?!extensions\/).*(?<!\.spec)\.tsx?$/.test(file),
);
const declared = files.flatMap((file) =>
  [...readFileSync(`src/${file}`, 'utf8').matchAll(/^export (?:abstract |declare )?(?:class|interface|type) (\w+)/gm)].map(([, name]) => ({
    file,
    name: name!,
  })),
);

const pascal = (noun: string): string =>
  noun
    .split(/[ -]/)
    .map((word) => `${word[0]!.toUpperCase()}${word.slice(1)}`)
    .join('');
/** Whether the noun is one of the words of a name. */
const has = (name: string, noun: string): boolean => new RegExp(`${pascal(noun).replace(/y$/, '(?:y|ie)')}s?(?![a-z])`).test(name);

it('the glossary has more than the nouns that have a home, and a sentence for each', () => {
  expect(glossary.size).toBeGreaterThan(35);
  expect(Object.keys(HOMES).filter((noun) => !glossary.has(noun))).toEqual([]);
  expect([...glossary].filter(([, what]) => !what.endsWith('.'))).toEqual([]);
});

describe.each(Object.entries(HOMES))('what is called %s', (noun, home) => {
  const called = declared.filter(({ name }) => has(name, noun));

  it('is declared where the noun is at home', () => {
    expect(called).not.toEqual([]);
    expect(called.filter(({ file, name }) => !home.test(file) && OTHERS[name] === undefined)).toEqual([]);
  });
});

it('no exception is left without its name', () => {
  expect(Object.keys(OTHERS).filter((other) => !declared.some(({ name }) => name === other))).toEqual([]);
});
