import type { FreeForm } from '../../../kernel/json.js';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { categoryOf, claiming, compute, configurationOf, idOf, inputsOf, lineOf, statementOf } from './fixtures/run.js';
import type { RunBalance } from './inputs.js';
import type { ClaimedLine } from './line-accumulator.js';

const rail = categoryOf('RAIL', [claiming('rail', 50)]);
const codesOf = ({ warnings }: Awaited<ReturnType<typeof compute>>) => warnings.map(({ code }) => code);

describe('a report', () => {
  it('has gross, refunds, net and claimable amounts', async () => {
    const result = await compute(inputsOf({ categories: [rail] }), [
      lineOf(1, '-20.01'),
      lineOf(1, '5.00'),
      lineOf(1, '-7.30', { description: 'Lunch' }),
    ]);
    expect(result).toMatchObject({
      schema: 'claim-report/1',
      period: { start: '2026-01-01', end: '2026-01-31' },
      currency: 'EUR',
      totals: { count: 3, gross: '27.31', refunds: '5.00', net: '22.31', claimable: '7.51', uncategorised: '7.30' },
      categories: [
        {
          code: 'RAIL',
          name: 'Category RAIL',
          count: 2,
          gross: '20.01',
          refunds: '5.00',
          net: '15.01',
          claimable: '7.51',
          months: [{ month: '2026-01', count: 2, net: '15.01', claimable: '7.51' }],
        },
      ],
      months: [{ month: '2026-01', count: 3, gross: '27.31', refunds: '5.00', net: '22.31', claimable: '7.51' }],
      uncategorised: { count: 1, net: '7.30', counterparties: [] },
      otherCurrencies: [],
      warnings: [],
      statements: [{ id: idOf(1), linesRead: 3, linesUsed: 3, duplicates: 0 }],
    });
    expect(result.controls.map(({ name, ok }) => [name, ok])).toEqual([
      ['lines_used_and_left_out_make_lines_read', true],
      ['categories_and_uncategorised_make_net', true],
      ['months_make_net', true],
      ['category_months_make_claimable', true],
      ['months_make_claimable', true],
    ]);
  });

  it('rounds once per category and month, so months add up', async () => {
    const lines = ['01', '01', '02'].map((month) => lineOf(1, '-0.01', { bookedOn: `2026-${month}-10` }));
    const { categories, totals } = await compute(inputsOf({ categories: [rail] }), lines);
    // 0.005 twice is 0.01 and not 0.02; 0.005 alone is 0.01.
    expect(categories[0]!.months.map(({ claimable }) => claimable)).toEqual(['0.01', '0.01']);
    expect([categories[0]!.claimable, totals.claimable]).toEqual(['0.02', '0.02']);
  });

  it('rounds to the smallest unit of the currency', async () => {
    const yen = await compute(inputsOf({ categories: [rail] }), [lineOf(1, '-1001', { currency: 'JPY' })]);
    const dinar = await compute(inputsOf({ categories: [rail] }), [lineOf(1, '-1.001', { currency: 'KWD' })]);
    expect([yen.totals.net, yen.totals.claimable, dinar.totals.net, dinar.totals.claimable]).toEqual(['1001', '501', '1.001', '0.501']);
  });

  it('can be empty', async () => {
    const result = await compute(inputsOf({ statements: [] }), []);
    expect(result).toMatchObject({
      period: null,
      currency: null,
      totals: { count: 0, net: '0.00', claimable: '0.00' },
      categories: [],
      months: [],
      evidence: { coveragePercent: '0.0', months: [] },
      statements: [],
    });
    expect(codesOf(result)).toEqual(['no_statements', 'no_categories']);
    expect(result.controls.every(({ ok }) => ok)).toBe(true);
  });

  it('says which statements a project could have had, if it has none', async () => {
    const { warnings } = await compute(inputsOf({ statements: [], otherStatements: { withoutProject: 2, ofOtherProjects: 1 } }), []);
    expect(warnings[1]).toEqual({
      code: 'statements_of_other_projects',
      message: expect.stringContaining('2 without a project, 1 of other projects') as string,
    });
  });

  it('passes every counted line with its claim to onLine', async () => {
    const told: ClaimedLine[] = [];
    const lines = [
      lineOf(1, '-0.03', { fingerprint: 'same' }),
      lineOf(2, '-0.03', { fingerprint: 'same' }),
      lineOf(2, '0.01', { currency: 'USD' }),
      lineOf(2, '-9', { description: 'Lunch' }),
      lineOf(2, '-9', { bookedOn: '2027-01-01' }),
    ];
    await compute(
      inputsOf({ configuration: configurationOf(), categories: [rail], statements: [statementOf(1), statementOf(2)] }),
      lines,
      (line) => told.push(line),
    );
    expect(told).toEqual([
      { line: lines[0], category: 'RAIL', categoryIndex: 0, rule: 'rule 1', claimablePercent: '50', claimable: '0.015', taxPercent: null },
      { line: lines[2], category: 'RAIL', categoryIndex: 0, rule: 'rule 1', claimablePercent: '50', claimable: '-0.005', taxPercent: null },
      { line: lines[3], category: null, categoryIndex: null, rule: null, claimablePercent: null, claimable: null, taxPercent: null },
    ]);
  });
});

describe('the period', () => {
  const lines = [
    lineOf(1, '-1', { bookedOn: '2026-01-31' }),
    lineOf(1, '-2', { bookedOn: '2026-02-01' }),
    lineOf(1, '-4', { bookedOn: '2026-02-28' }),
    lineOf(1, '-8', { bookedOn: '2026-03-01' }),
  ];
  const project = { id: idOf(901), name: 'Berlin', periodStart: '2026-02-01', periodEnd: '2026-02-28' };

  it('is that of the configuration, else of the project, including both days', async () => {
    const ofProject = await compute(inputsOf({ project }), lines);
    expect([ofProject.period, ofProject.totals.net, ofProject.statements[0]!.linesUsed]).toEqual([
      { start: '2026-02-01', end: '2026-02-28' },
      '6.00',
      2,
    ]);
    const ofConfiguration = await compute(
      inputsOf({ project, configuration: configurationOf({ periodStart: '2026-01-01', periodEnd: '2026-02-27' }) }),
      lines,
    );
    expect(ofConfiguration.totals.net).toBe('3.00');
  });

  it('defaults to the first to the last day of statements and lines', async () => {
    expect((await compute(inputsOf(), lines)).period).toEqual({ start: '2026-01-01', end: '2026-03-01' });
    expect((await compute(inputsOf({ statements: [statementOf(1, { periodStart: null, periodEnd: null })] }), lines)).period).toEqual({
      start: '2026-01-31',
      end: '2026-03-01',
    });
  });

  it('causes a warning if it has no lines', async () => {
    expect(codesOf(await compute(inputsOf({ project, categories: [rail] }), [lines[0]!]))).toEqual([
      'no_lines_in_period',
      'statement_gaps',
    ]);
  });

  it('fails the run if it is longer than 100 years', async () => {
    const failure = { code: 'period_too_long' };
    await expect(
      compute(inputsOf({ configuration: configurationOf({ periodStart: '0001-01-01', periodEnd: '9999-12-31' }) }), []),
    ).rejects.toMatchObject(failure);
    await expect(compute(inputsOf(), [lineOf(1, '-1', { bookedOn: '0202-01-01' })])).rejects.toMatchObject(failure);
  });
});

describe('lines in several statements', () => {
  const coffee = (statement: number) => lineOf(statement, '-2.50', { fingerprint: 'coffee' });
  const statements = [1, 2, 3].map((number) => statementOf(number));

  it.each([
    [
      [2, 3, 3],
      [
        [2, 0],
        [1, 2],
        [0, 3],
      ],
    ],
    [
      [2, 1, 2],
      [
        [2, 0],
        [0, 1],
        [0, 2],
      ],
    ],
    [
      [0, 1, 2],
      [
        [0, 0],
        [1, 0],
        [1, 1],
      ],
    ],
  ])('count once, but equal lines of one statement count each: %j', async (counts, expected) => {
    const lines = counts.flatMap((count, index) => Array.from({ length: count }, () => coffee(index + 1)));
    const { totals, statements: shown } = await compute(inputsOf({ statements }), lines);
    expect(totals.count).toBe(Math.max(...counts));
    expect(shown.map(({ linesUsed, duplicates }) => [linesUsed, duplicates])).toEqual(expected);
  });
});

describe('currencies', () => {
  const lines = [
    lineOf(1, '-1', { currency: 'USD' }),
    lineOf(1, '-2', { currency: 'CHF' }),
    lineOf(1, '-4', { currency: 'USD' }),
    ...[1, 2, 3].map(() => lineOf(1, '-8', { currency: null })),
  ];

  it('are kept apart: the report uses that of most lines, ignoring lines without one', async () => {
    const result = await compute(inputsOf({ categories: [rail] }), lines);
    expect([result.currency, result.totals.net, result.otherCurrencies]).toEqual([
      'USD',
      '5.00',
      [
        { currency: 'CHF', count: 1, gross: '2.00', refunds: '0.00', net: '2.00' },
        { currency: null, count: 3, gross: '24.00', refunds: '0.00', net: '24.00' },
      ],
    ]);
    expect(result.warnings.map(({ message }) => message)).toEqual([
      '1 line in CHF is not in the totals.',
      '3 lines without a currency are not in the totals.',
    ]);
    expect((await compute(inputsOf(), lines.slice(0, 2))).currency).toBe('CHF');
    expect((await compute(inputsOf(), lines.slice(3))).currency).toBeNull();
  });

  it('can be chosen in the output options', async () => {
    const { currency, totals } = await compute(inputsOf({ configuration: configurationOf({ outputOptions: { currency: 'chf' } }) }), lines);
    expect([currency, totals.net]).toEqual(['CHF', '2.00']);
  });
});

describe('balances', () => {
  const balance = (opening: string | null, closing: string | null, more: Partial<RunBalance> = {}): RunBalance => ({
    account: null,
    currency: 'EUR',
    opening,
    closing,
    ...more,
  });
  const controlOf = async (balances: RunBalance[], lines = [lineOf(1, '-10.00'), lineOf(1, '2.50')]) => {
    const result = await compute(inputsOf({ categories: [rail], statements: [statementOf(1, { balances })] }), lines);
    return [result.controls.slice(5), codesOf(result)];
  };

  it('agree with the lines; the control never shows them', async () => {
    expect(await controlOf([balance('100.00', '92.50')])).toEqual([
      [{ name: `statement_balance:${idOf(1)}`, expected: '0.00', actual: '0.00', ok: true }],
      [],
    ]);
    expect(await controlOf([balance('100.00', '92.50'), balance('-7', '-7', { account: 'B' })])).toMatchObject([[{ ok: true }], []]);
  });

  it('cause a warning if they disagree with the lines', async () => {
    expect(await controlOf([balance('100.00', '90.00')])).toEqual([
      [{ name: `statement_balance:${idOf(1)}`, expected: '0.00', actual: '2.50', ok: false }],
      ['statement_incomplete'],
    ]);
  });

  it('are not checked if one is unknown', async () => {
    expect(await controlOf([])).toEqual([[], []]);
    expect(await controlOf([balance('100.00', null)])).toEqual([[], []]);
  });

  it('of several currencies tie each for itself, if all lines have a currency', async () => {
    const lines = [lineOf(1, '-10.00'), lineOf(1, '2.50'), lineOf(1, '-300', { currency: 'JPY' })];
    const yen = balance('1000', '700', { currency: 'JPY' });
    const euros = balance('100.00', '92.50');
    const name = `statement_balance:${idOf(1)}`;
    expect(await controlOf([euros, yen], lines)).toMatchObject([
      [
        { name: `${name}:EUR`, expected: '0.00', actual: '0.00', ok: true },
        { name: `${name}:JPY`, expected: '0', actual: '0', ok: true },
      ],
      ['other_currencies'],
    ]);
    // What is too much in one currency does not make up for what is missing in the other.
    expect(await controlOf([balance('100.00', '93.50'), balance('1000', '699', { currency: 'JPY' })], lines)).toMatchObject([
      [
        { name: `${name}:EUR`, actual: '-1.00', ok: false },
        { name: `${name}:JPY`, actual: '1', ok: false },
      ],
      ['statement_incomplete', 'other_currencies'],
    ]);
    expect(await controlOf([euros, balance('1000', null, { currency: 'JPY' })], lines)).toMatchObject([
      [{ name: `${name}:EUR` }],
      expect.anything(),
    ]);
    expect((await controlOf([euros, yen], [...lines, lineOf(1, '1', { currency: null })]))[0]).toEqual([]);
    expect(await controlOf([euros, balance('1', '2', { currency: 'USD' })], lines.slice(0, 2))).toMatchObject([
      [
        { name: `${name}:EUR`, ok: true },
        { name: `${name}:USD`, actual: '-1.00', ok: false },
      ],
      ['statement_incomplete'],
    ]);
  });
});

describe('warnings', () => {
  it('name categories that overlap, have a negative claim, or claim nothing', async () => {
    const categories = [rail, categoryOf('BACK', [claiming('refund')]), categoryOf('EMPTY'), categoryOf('TICKETS', [claiming('ticket')])];
    const { warnings } = await compute(inputsOf({ categories }), [
      lineOf(1, '-1'),
      lineOf(1, '-1'),
      lineOf(1, '3', { description: 'Refund' }),
    ]);
    expect(warnings).toEqual([
      { code: 'negative_claim', message: 'BACK has more refunds than expenses, so its claim is negative.' },
      { code: 'category_without_rules', message: 'EMPTY has no rules, so it claims nothing.' },
      { code: 'claimed_by_several', message: '2 lines of RAIL also match TICKETS.' },
    ]);
  });

  it('name gaps', async () => {
    const { warnings } = await compute(inputsOf({ configuration: configurationOf({ periodEnd: '2027-12-31' }), categories: [rail] }), [
      lineOf(1, '-1'),
    ]);
    expect(warnings).toEqual([
      {
        code: 'statement_gaps',
        message:
          'Bank statements cover 4.2 % of the period. Gaps: 2026-02 (missing), 2026-03 (missing), 2026-04 (missing), ' +
          '2026-05 (missing), 2026-06 (missing), 2026-07 (missing), 2026-08 (missing), 2026-09 (missing), 2026-10 (missing), ' +
          '2026-11 (missing), 2026-12 (missing), 2027-01 (missing) and 11 more months.',
      },
    ]);
  });

  it('end with the number of those not shown', async () => {
    const categories = Array.from({ length: 130 }, (_, index) => categoryOf(`C${index}`));
    const { warnings } = await compute(inputsOf({ categories }), [lineOf(1, '-1')]);
    expect([warnings.length, warnings.at(-1)]).toEqual([101, { code: 'more_warnings', message: '30 more warnings are not shown.' }]);
  });
});

describe('invalid input', () => {
  it('fails the run, unless the category takes no part', async () => {
    const bad = categoryOf('BAD', [7]);
    await expect(compute(inputsOf({ categories: [bad] }), [])).rejects.toMatchObject({
      code: 'invalid_source_mapping',
      message: 'Category BAD: sourceMapping.rules[0] must be an object.',
    });
    await expect(
      compute(inputsOf({ categories: [bad], configuration: configurationOf({ categoryFilter: { exclude: ['bad'] } }) }), []),
    ).resolves.toMatchObject({ categories: [] });
    await expect(compute(inputsOf({ configuration: configurationOf({ outputOptions: { detail: 1 } }) }), [])).rejects.toMatchObject({
      code: 'invalid_output_options',
    });
  });

  it('in a line is an internal error that does not quote the line', async () => {
    await expect(compute(inputsOf(), [lineOf(1, '12,50 Erika')])).rejects.toThrow('An amount is not a decimal.');
    await expect(compute(inputsOf(), [lineOf(2, '-1')])).rejects.toThrow('A line belongs to a statement that is not among the inputs.');
  });
});

describe('the hash of the inputs', () => {
  it('depends on all inputs, but not on the order of categories or keys', async () => {
    const hashOf = async (more: Parameters<typeof inputsOf>[0]) => (await compute(inputsOf({ statements: [], ...more }), [])).inputsHash;
    const [a, b] = [categoryOf('A', [claiming('a')]), categoryOf('B', [claiming('b')])];
    const project = { id: idOf(901), name: 'Berlin', periodStart: '2026-02-01', periodEnd: '2026-02-28' };
    const same = await hashOf({ categories: [a, b] });
    expect(same).toMatch(/^[0-9a-f]{64}$/);
    expect(await hashOf({ categories: [b, Object.fromEntries(Object.entries(a).reverse()) as unknown as typeof a] })).toBe(same);
    const others = await Promise.all(
      [
        { categories: [a] },
        { categories: [a, { ...b, name: 'Other' }] },
        { categories: [a, b], configuration: configurationOf() },
        { categories: [a, b], statements: [statementOf(1)] },
        { categories: [a, b], statements: [statementOf(1, { redactionVersion: '1.0.1' })] },
        { categories: [a, b], statements: [statementOf(1, { fileName: 'january.csv' })] },
        { categories: [a, b], statements: [statementOf(1, { accountLabel: '•••• 3000' })] },
        { categories: [a, b], organization: { name: 'Example Accountants' } },
        { categories: [a, b], project },
        { categories: [a, b], project: { ...project, clientReference: 'HF-2026' } },
      ].map(hashOf),
    );
    expect(new Set([same, ...others]).size).toBe(11);
  });
});

const readGuide = (name: string): Promise<string> => readFile(new URL(`../../../../docs/${name}.md`, import.meta.url), 'utf8');
const examplesIn = (text: string): FreeForm[] => [...text.matchAll(/```json\n(.*?)```/gs)].map(([, json]) => JSON.parse(json!) as FreeForm);

describe('the guides', () => {
  it('have valid examples and name all controls', async () => {
    const guide = await readGuide('claim-reports');
    const [sourceMapping, categoryFilter, withRates] = examplesIn(guide);
    const [outputOptions] = examplesIn(await readGuide('report-files'));
    const categories = [categoryOf('STAFF', [], { sourceMapping })];
    const lines = [
      lineOf(1, '-50.00', { description: 'RAIL  TICKET 17' }),
      lineOf(1, '-50.00', { description: 'Rail season ticket' }),
      lineOf(1, '-10.00', { description: 'mobile 0815', account: 'ACCOUNT-7Q2M4XKD9A (3000)' }),
    ];
    const { totals, controls } = await compute(
      inputsOf({ configuration: configurationOf({ categoryFilter, outputOptions }), categories }),
      lines,
    );
    expect(totals).toMatchObject({ claimable: '53.35', claimableTax: '3.27', uncategorised: '50.00' });
    const inDollars = lineOf(1, '-100.00', { currency: 'USD', bookedOn: '2026-03-05' });
    const converted = await compute(inputsOf({ configuration: configurationOf({ outputOptions: withRates }) }), [inDollars]);
    expect(converted.totals.net).toBe('92.13');
    for (const { name } of [...controls, ...converted.controls]) expect(guide).toContain(`\`${name}\``);
  });
});
