import { describe, expect, it } from 'vitest';
import { categoryOf, claiming, compute, configurationOf, inputsOf, lineOf } from './fixtures/run.js';
import { inputsHashOf } from './compute.js';
import { readOutputOptions } from './inputs.js';

const line = (id: string, more: object) => ({ id, label: `The ${id}`, ...more });
const OWN = {
  name: 'Travel grant',
  edition: '2026',
  source: 'Our foundation',
  rounding: { to: '1', mode: 'down' },
  total: 'all',
  sections: [
    { title: 'Who', lines: [line('member', { from: 'entry', required: true }), line('until', { from: 'report', fact: 'period_end' })] },
    {
      title: 'What',
      lines: [
        line('rail', { from: 'categories', atMost: '100.00', evidence: 'Tickets' }),
        line('overhead', { from: 'share', percent: '15.5', of: ['rail'], number: '2' }),
        line('paid', { from: 'entry', is: 'amount' }),
        line('all', { from: 'sum', of: ['rail', 'overhead'], less: ['paid'] }),
      ],
    },
  ],
};
const inputsWith = (form: object) =>
  inputsOf({
    categories: [categoryOf('RAIL', [claiming('rail')]), categoryOf('BUS', [claiming('bus')])],
    configuration: configurationOf({ outputOptions: { form: { definition: OWN, lines: { RAIL: 'rail' }, ...form } } }),
  });
const LINES = [lineOf(1, '-120.99', { description: 'rail' }), lineOf(1, '-7.50', { description: 'bus' })];

describe('a claim with a form', () => {
  it('has it line by line: what was stated, rounded, capped, shared and taken off', async () => {
    const { form, warnings } = await compute(inputsWith({ entries: { member: 'No. 17', paid: '10' } }), LINES);
    const [who, what] = form!.sections.map(({ lines }) => lines);
    expect(who!.map(({ value }) => value)).toEqual(['No. 17', inputsWith({}).configuration!.periodEnd]);
    expect(what).toEqual([
      {
        ...{ id: 'rail', number: null, label: 'The rail', value: null, evidence: 'Tickets' },
        ...{ amount: '100.00', computed: '120.99', atMost: '100.00', categories: ['RAIL'] },
      },
      {
        id: 'overhead',
        number: '2',
        label: 'The overhead',
        value: null,
        amount: '15.00',
        computed: '15.50',
        percent: '15.5',
        evidence: null,
      },
      { id: 'paid', number: null, label: 'The paid', value: null, amount: '10.00', evidence: null },
      { id: 'all', number: null, label: 'The all', value: null, amount: '105.00', evidence: null },
    ]);
    expect(form).toMatchObject({ total: '105.00', notOnForm: '7.50' });
    expect(warnings.filter(({ code }) => code.startsWith('form_'))).toEqual([
      { code: 'form_line_missing', message: 'Categories have claims, but no line of the form, so these are not on it: BUS.' },
    ]);
  });

  it('is warned of what the claimant has to state', async () => {
    const { warnings } = await compute(inputsWith({ lines: { RAIL: 'rail', BUS: 'rail' } }), LINES);
    expect(warnings.filter(({ code }) => code.startsWith('form_'))).toEqual([
      { code: 'form_entries_missing', message: 'The form asks for what is not stated: The member.' },
    ]);
  });

  it('keeps the form that it began with', async () => {
    const inputs = inputsWith({ definition: 'de_reisekosten', lines: {} });
    const { definition } = readOutputOptions(inputsWith({}).configuration!.outputOptions).form!;
    const { form } = await compute({ ...inputs, form: definition }, LINES);
    expect(form!.name).toBe('Travel grant');
    expect(inputsHashOf({ ...inputs, form: definition })).not.toBe(inputsHashOf(inputs));
  });
});
