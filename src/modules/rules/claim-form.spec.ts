import { describe, expect, it } from 'vitest';
import { OUTPUT_OPTIONS } from './output-options.js';

const FORM = {
  name: 'Own form',
  edition: '1',
  source: 'Our own',
  total: 'all',
  sections: [
    {
      title: 'Costs',
      lines: [
        { id: 'travel', label: 'Travel', from: 'categories', atMost: '100.00' },
        { id: 'overhead', label: 'Overhead', from: 'share', percent: '25', of: ['travel'] },
        { id: 'all', label: 'All', from: 'sum', of: ['travel', 'overhead'] },
      ],
    },
  ],
};
const problemsOf = (outputOptions: object) => OUTPUT_OPTIONS.problemsOf(outputOptions).map(({ path, message }) => `${path} ${message}`);
const withLines = (...lines: object[]) => ({
  ...FORM,
  total: 'travel',
  sections: [{ title: 'Costs', lines: [FORM.sections[0]!.lines[0], ...lines] }],
});

describe('a form of outputOptions', () => {
  it('is one that ships with us, or one of one’s own', () => {
    for (const definition of ['uk_rd_additional_information', 'eu_financial_statement', 'de_reisekosten', FORM])
      expect(problemsOf({ form: { definition } })).toEqual([]);
    expect(problemsOf({ form: { definition: 'form_c' } })).toEqual([
      expect.stringMatching(/^\.form\.definition must be one of .*de_reisekosten/),
    ]);
  });

  it.each([
    [
      'names a later line',
      withLines({ id: 'a', label: 'A', from: 'sum', of: ['b'] }, { id: 'b', label: 'B', from: 'categories' }),
      'lines[1].of[0]',
    ],
    ['names itself', withLines({ id: 'a', label: 'A', from: 'sum', of: ['a'] }), 'lines[1].of[0]'],
    ['adds a text', withLines({ id: 't', label: 'T', from: 'entry' }, { id: 'a', label: 'A', from: 'sum', of: ['t'] }), 'lines[2].of[0]'],
    ['has a name twice', withLines({ id: 'travel', label: 'A', from: 'categories' }), 'lines[1].id'],
    ['is a share of an amount', withLines({ id: 'a', label: 'A', from: 'share', of: ['travel'], percent: 'travel' }), 'lines[1].percent'],
    ['is a share of nothing', withLines({ id: 'a', label: 'A', from: 'share', percent: '25' }), 'lines[1].of'],
    ['is capped by a word', withLines({ id: 'a', label: 'A', from: 'categories', atMost: 'nothing' }), 'lines[1].atMost'],
    ['knows nothing', withLines({ id: 'a', label: 'A', from: 'report' }), 'lines[1].fact'],
    ['has no total', { ...FORM, total: 'sum' }, 'total'],
  ])('is refused with the place if a line %s', (_what, definition, place) => {
    const [problem] = problemsOf({ form: { definition } });
    expect(problem).toContain(place);
  });

  it('takes entries that fit it, and says what does not', () => {
    const entries = { utr: '123', sic_code: '62012', indirect_activities: '-5', company: 'Acme' };
    const lines = { STAFF: 'staffing', REST: 'total', '': 'staffing' };
    expect(problemsOf({ form: { definition: 'uk_rd_additional_information', entries, lines } })).toEqual([
      '.form.lines[""] must be left out',
    ]);
    expect(
      problemsOf({ form: { definition: 'uk_rd_additional_information', entries, lines: { STAFF: 'staffing', REST: 'total' } } }),
    ).toEqual([
      '.form.entries.utr must have 10 digits',
      '.form.entries.indirect_activities must be an amount, such as 1250.00',
      '.form.entries.company must be left out: the form has no entry with this id',
      '.form.lines.REST must be the id of a line of the form for claims',
    ]);
  });

  it('says the currency and the rates of the report', () => {
    const form = { definition: 'eu_financial_statement' };
    expect(problemsOf({ form, rates: 'ecb_average' })).toEqual([]);
    expect(problemsOf({ form, currency: 'USD' })).toEqual([expect.stringMatching(/^\.currency must be EUR/)]);
    expect(problemsOf({ form, rates: 'ecb' })).toEqual([expect.stringMatching(/^\.rates must be ecb_average/)]);
    expect(problemsOf({ formats: ['form'] })).toEqual(['.form must say which form']);
  });
});
