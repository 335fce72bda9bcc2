import { describe, expect, it } from 'vitest';
import { Conditions } from './conditions.js';
import { categoryOf, comparableLineOf, tokenOf } from '../fixtures/run.js';
import type { RunLine } from '../inputs.js';
import { readSourceMapping } from './matcher.js';

const read = (sourceMapping: Record<string, unknown>) =>
  readSourceMapping(categoryOf('TRAVEL-RAIL', [], { sourceMapping }), new Conditions(tokenOf));
const holds = (field: string, op: string, value: unknown, line: Partial<RunLine> = {}, amount?: string) =>
  read({ rules: [{ all: [{ field, op, value }] }] }).rules[0]!.holds(comparableLineOf(line, amount));

describe('texts', () => {
  const line = { description: '  Straße  der\tÉTOILE ', reference: 'RE-2026/17' };

  it.each([
    ['is', 'STRASSE DER étoile', true],
    ['is', 'Straße', false],
    ['isNot', 'straße der étoile', false],
    ['isNot', 'other', true],
    ['oneOf', ['x', 'strasse der e\u0301toile'], true],
    ['oneOf', ['x'], false],
    ['contains', 'SE  DER', true],
    ['contains', 'nowhere', false],
    ['startsWith', 'STRASSE', true],
    ['startsWith', 'der', false],
    ['endsWith', 'Étoile', true],
    ['endsWith', 'der', false],
    ['matches', '^stra(ß|ss)e\\b', true],
    ['matches', 'd[aeiou]r É', true],
    ['matches', '^der', false],
  ])('%s %j: %s, ignoring case, blanks and Unicode composition', (op, value, expected) => {
    expect(holds('description', op, value, line)).toBe(expected);
  });

  it('are empty if the line does not have them', () => {
    expect([
      holds('reference', 'is', 'x'),
      holds('reference', 'isNot', 'x'),
      holds('reference', 'matches', '^$'),
      holds('counterparty', 'contains', 'x'),
    ]).toEqual([false, true, true, false]);
  });

  it('are matched by several patterns together as by each alone', () => {
    const patterns = ['rail', 'ticket$', '^rail', 'bus', 'r.il', '[0-9]', 'TICK(et|s)', 'x*', '\\bail'];
    const { rules } = read({ rules: patterns.map((value) => ({ all: [{ field: 'description', op: 'matches', value }] })) });
    for (const description of ['Rail ticket', 'Bus 7', 'frail', '']) {
      expect(rules.map((rule) => rule.holds(comparableLineOf({ description })))).toEqual(
        patterns.map((pattern) => new RegExp(pattern, 'iu').test(description)),
      );
    }
  });

  it('that make backtracking engines hang are matched at once', () => {
    expect(holds('description', 'matches', '(a+)+$', { description: `${'a'.repeat(1000)}!` })).toBe(false);
  });
});

describe('persons and accounts', () => {
  const account = tokenOf('account', 'DE02120300000000202051');
  const line = {
    counterparty: tokenOf('counterparty', 'Erika Beispiel'),
    counterpartyAccount: account,
    account: 'ACCOUNT-7Q2M4XKD9A (3000)',
  };

  it('are compared with the plain text and with its token', () => {
    expect([
      holds('counterparty', 'is', 'ERIKA Beispiel', line),
      holds('counterparty', 'oneOf', ['x', 'Erika Beispiel'], line),
      holds('counterparty', 'isNot', 'Erika Beispiel', line),
      holds('counterparty', 'is', 'Erika', line),
    ]).toEqual([true, true, false, false]);
    expect(holds('counterparty', 'is', 'nordlicht energie gmbh', { counterparty: 'Nordlicht Energie GmbH' })).toBe(true);
    expect(holds('counterparty', 'startsWith', 'person-', line)).toBe(true);
  });

  it('on either side count as account; isNot applies to both', () => {
    expect([
      holds('account', 'is', 'DE02120300000000202051', line),
      holds('account', 'is', 'account-7q2m4xkd9a', line),
      holds('account', 'isNot', 'ACCOUNT-7Q2M4XKD9A', line),
      holds('account', 'isNot', 'DE02120300000000202051', line),
      holds('account', 'isNot', 'x', line),
    ]).toEqual([true, true, false, false, true]);
  });

  it('of the own account are matched by their last four characters', () => {
    expect([
      holds('account', 'endsWith', '3000', line),
      holds('account', 'contains', '3000', line),
      holds('account', 'matches', '\\b3000$', line),
      holds('account', 'endsWith', '(3000)', line),
      holds('account', 'is', '3000', line),
    ]).toEqual([true, true, true, true, false]);
  });
});

describe('amounts, directions, currencies and days', () => {
  it.each([
    ['is', '12.5', true],
    ['is', 12.5, true],
    ['is', '12.51', false],
    ['isNot', 12.5, false],
    ['oneOf', [1, '12.500'], true],
    ['gte', 12.5, true],
    ['gte', '12.51', false],
    ['lte', '12.5', true],
    ['lte', 12.49, false],
    ['between', [12.5, 13], true],
    ['between', ['12', '12.50'], true],
    ['between', [13, 14], false],
  ])('amount %s %j: %s, in either direction', (op, value, expected) => {
    expect([holds('amount', op, value, {}, '-12.50'), holds('amount', op, value, {}, '12.50')]).toEqual([expected, expected]);
  });

  it('distinguish money out from money in', () => {
    expect([
      holds('direction', 'is', 'out', {}, '-1'),
      holds('direction', 'is', 'in', {}, '1'),
      holds('direction', 'isNot', 'in', {}, '1'),
      holds('direction', 'oneOf', ['in', 'out'], {}, '1'),
    ]).toEqual([true, true, false, true]);
  });

  it('compare currencies case-insensitively', () => {
    expect([
      holds('currency', 'is', 'eur'),
      holds('currency', 'isNot', 'USD'),
      holds('currency', 'is', 'EUR', { currency: null }),
      holds('currency', 'isNot', 'EUR', { currency: null }),
    ]).toEqual([true, true, false, true]);
  });

  it.each([
    ['is', '2026-01-15', true],
    ['isNot', '2026-01-15', false],
    ['gte', '2026-01-15', true],
    ['gte', '2026-01-16', false],
    ['lte', '2026-01-14', false],
    ['between', ['2026-01-01', '2026-01-15'], true],
    ['oneOf', ['2026-01-14'], false],
  ])('date %s %j: %s', (op, value, expected) => {
    expect(holds('date', op, value)).toBe(expected);
  });
});

describe('a rule', () => {
  const yes = { field: 'direction', op: 'is', value: 'out' };
  const no = { field: 'direction', op: 'is', value: 'in' };
  const ruleHolds = (rule: object) => read({ rules: [rule] }).rules[0]!.holds(comparableLineOf());

  it('holds if all of `all`, one of `any` and none of `none` hold', () => {
    expect(
      [
        { all: [yes, yes] },
        { all: [yes, no] },
        { any: [no, yes] },
        { any: [no] },
        { all: [yes], none: [no] },
        { all: [yes], none: [no, yes] },
        { all: [yes], any: [] },
        { all: [yes], any: [no] },
      ].map(ruleHolds),
    ).toEqual([true, false, true, false, true, false, true, false]);
  });

  it('is more specific the more conditions have to hold; `any` counts once', () => {
    const { rules } = read({ rules: [{ all: [yes] }, { any: [yes, no, no] }, { all: [yes, yes], any: [no, no], none: [no] }] });
    expect(rules.map(({ specificity }) => specificity)).toEqual([1, 1, 4]);
  });

  it('is named by its id or its position, and claims 100 percent by default', () => {
    const { rules, priority } = read({
      rules: [
        { id: 'db', all: [yes] },
        { claimablePercent: '33.3300', all: [yes] },
      ],
      theirs: true,
    });
    expect(rules.map(({ name, claimablePercent }) => [name, claimablePercent])).toEqual([
      ['db', '100'],
      ['rule 2', '33.33'],
    ]);
    expect([priority, read({ priority: -3 }).priority, read({}).rules]).toEqual([0, -3, []]);
  });

  const condition = (more: object) => ({ rules: [{ all: [yes, { field: 'description', op: 'is', value: 'x', ...more }] }] });
  it.each([
    [{ rules: {} }, 'rules must be a list.'],
    [{ rules: [7] }, 'rules[0] must be an object.'],
    [{ rules: [{}] }, 'rules[0] must have a condition in all or any; without one, it would claim every line.'],
    [{ rules: [{ none: [yes] }] }, 'rules[0] must have a condition in all or any; without one, it would claim every line.'],
    [{ rules: [{ all: yes }] }, 'rules[0].all must be a list.'],
    [{ rules: [{ all: Array(101).fill(yes) }] }, 'rules[0] must have at most 100 conditions.'],
    [{ rules: Array(1001).fill({ all: [yes] }) }, 'rules must have at most 1000 entries.'],
    [{ rules: [{ id: 7, all: [yes] }] }, 'rules[0].id must be a text of 1 to 200 characters.'],
    [
      { rules: [{ claimablePercent: 100.5, all: [yes] }] },
      'rules[0].claimablePercent must be a number from 0 to 100 with at most four decimals.',
    ],
    [
      { rules: [{ claimablePercent: 1e-7, all: [yes] }] },
      'rules[0].claimablePercent must be a number from 0 to 100 with at most four decimals.',
    ],
    [{ priority: 1.5 }, 'priority must be a whole number.'],
    [{ Rules: [] }, 'Rules must be spelled rules.'],
    [
      { rules: [{ all: [yes], claimable_percent: 50 }] },
      'rules[0].claimable_percent must be spelled claimablePercent, or be left out: ' +
        'the keys of a rule are id, claimablePercent, taxPercent, all, any, none.',
    ],
    [
      { rules: [{ all: [yes], yourKey: 1 }] },
      'rules[0].yourKey must be left out: the keys of a rule are id, claimablePercent, taxPercent, all, any, none.',
    ],
    [
      condition({ Value: 'x' }),
      'rules[0].all[1].Value must be spelled value, or be left out: the keys of a condition are field, op, value.',
    ],
    [condition({ note: 'x' }), 'rules[0].all[1].note must be left out: the keys of a condition are field, op, value.'],
    [
      { rules: [{ all: Array(30).fill({ field: 'description', op: 'matches', value: '(a{30}){20}' }) }] },
      'rules[0].all[15].value must be simpler: all patterns of a category together may cost at most 10000.',
    ],
    [
      condition({ field: 'amout' }),
      'rules[0].all[1].field must be one of description, counterparty, account, reference, amount, direction, currency, date.',
    ],
    [
      condition({ field: 'toString' }),
      'rules[0].all[1].field must be one of description, counterparty, account, reference, amount, direction, currency, date.',
    ],
    [condition({ op: 'gte' }), 'rules[0].all[1].op must be one of is, isNot, oneOf, contains, startsWith, endsWith, matches.'],
    [condition({ field: 'amount', op: 'contains' }), 'rules[0].all[1].op must be one of is, isNot, oneOf, gte, lte, between.'],
    [condition({ value: ' ' }), 'rules[0].all[1].value must be a text of 1 to 1000 characters.'],
    [condition({ op: 'oneOf', value: undefined }), 'rules[0].all[1].value must be a list.'],
    [condition({ op: 'oneOf', value: ['a', 1] }), 'rules[0].all[1].value[1] must be a text of 1 to 1000 characters.'],
    [
      condition({ op: 'matches', value: '(a' }),
      'rules[0].all[1].value must be a pattern in RE2 syntax of at most 500 characters, without large repetitions.',
    ],
    [
      condition({ op: 'matches', value: '(?=a)' }),
      'rules[0].all[1].value must be a pattern in RE2 syntax of at most 500 characters, without large repetitions.',
    ],
    [
      condition({ op: 'matches', value: 'a'.repeat(501) }),
      'rules[0].all[1].value must be a pattern in RE2 syntax of at most 500 characters, without large repetitions.',
    ],
    [
      condition({ op: 'matches', value: '((a{30}){30}){1,2}' }),
      'rules[0].all[1].value must be a pattern in RE2 syntax of at most 500 characters, without large repetitions.',
    ],
    [
      condition({ field: 'amount', op: 'is', value: -5 }),
      'rules[0].all[1].value must be an amount of 0 or more, such as "12.50", with at most 18 decimals ' +
        '(amounts are compared without their sign).',
    ],
    [
      condition({ field: 'amount', op: 'is', value: 1e21 }),
      'rules[0].all[1].value must be an amount of 0 or more, such as "12.50", with at most 18 decimals ' +
        '(amounts are compared without their sign).',
    ],
    [condition({ field: 'amount', op: 'between', value: [5] }), 'rules[0].all[1].value must have at least 2 entries.'],
    [condition({ field: 'amount', op: 'between', value: [6, 5] }), 'rules[0].all[1].value must have the smaller value first.'],
    [condition({ field: 'direction', op: 'is', value: 'up' }), 'rules[0].all[1].value must be one of in, out.'],
    [condition({ field: 'currency', op: 'is', value: '€' }), 'rules[0].all[1].value must be a three-letter currency code, such as EUR.'],
    [condition({ field: 'date', op: 'is', value: '2026-02-30' }), 'rules[0].all[1].value must be an existing date, such as 2026-03-31.'],
  ])('that is invalid fails the run with its path: %#', (mapping, message) => {
    expect(() => read(mapping)).toThrow(
      expect.objectContaining({ code: 'invalid_source_mapping', message: `Category TRAVEL-RAIL: sourceMapping.${message}` }),
    );
  });
});
