import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClaimReportFormLineDto } from '../result.dto.js';
import { categoryOf, claiming, compute, configurationOf, inputsOf, lineOf } from './fixtures/run.js';

/*
 * The forms that ship with us are computed a second time from their files, with whole cents: each total is written out as the form
 * describes it, and shares no code with the engine.
 */
type Cents = bigint;
type Claims = (line: string) => Cents;
const floor = (cents: Cents): Cents => (cents / 100n - (cents % 100n < 0n ? 1n : 0n)) * 100n;
const ceiling = (cents: Cents): Cents => -floor(-cents);
/** To whole cents, half away from zero. */
const percentOf = (cents: Cents, percent: bigint): Cents => (cents * percent + (cents < 0n ? -50n : 50n)) / 100n;
const add = (...all: Cents[]): Cents => all.reduce((sum, one) => sum + one, 0n);

const DIRECT = ['employees', 'direct_contracts', 'seconded', 'owners', 'travel', 'equipment', 'other_goods'];
const FORMS: Record<string, { entries: Record<string, string>; currency: string; expected: (claims: Claims) => Record<string, Cents> }> = {
  uk_rd_additional_information: {
    entries: { utr: '1234567890', sic_code: '62012', senior_contact: 'The director', relief: 'Merged scheme', projects: '2' },
    currency: 'GBP',
    expected: (claims) => ({ total: add(...claimLines('uk_rd_additional_information').map((line) => floor(claims(line)))) }),
  },
  eu_financial_statement: {
    entries: { pic: '123456789', grant_number: '101012345', funding_rate: '70', asked: '5000.00' },
    currency: 'EUR',
    expected: (claims) => {
      const indirect = percentOf(add(...DIRECT.map(claims)), 25n);
      const total = add(...claimLines('eu_financial_statement').map(claims), indirect);
      const maximum = percentOf(total, 70n);
      return { indirect, total_costs: total, maximum, requested: maximum < 500_000n ? maximum : 500_000n };
    },
  },
  de_reisekosten: {
    entries: { person: 'Muster', given_name: 'A.', company_car: '2', refunded: '40.00', meals_given: '5.60', meals_refunded: '28' },
    currency: 'EUR',
    expected: (claims) => {
      const costs = add(...['travel', 'nights', 'incidentals'].map((line) => ceiling(claims(line))));
      const allowances = add(...['drivers', 'meals', 'meals_abroad'].map((line) => ceiling(claims(line))));
      return { costs, total: ceiling(costs + allowances - 4000n - 560n - 2800n) };
    },
  },
};

interface Written {
  sections: { lines: { id: string; from: string }[] }[];
}
const written = (name: string) => JSON.parse(readFileSync(`forms/${name}.json`, 'utf8')) as Written;
const claimLines = (name: string) =>
  written(name).sections.flatMap(({ lines }) => lines.filter(({ from }) => from === 'categories').map(({ id }) => id));
const shown = (cents: Cents) => {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

describe.each(Object.entries(FORMS))('the form %s', (name, { entries, currency, expected }) => {
  it('has the sums that its description asks for, whatever is claimed', async () => {
    const codes = claimLines(name).map((line) => ({ line, code: line.toUpperCase() }));
    const amounts = fc.array(fc.tuple(fc.nat({ max: codes.length }), fc.integer({ min: -30_000, max: 300_000 })), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(amounts, async (bookings) => {
        // The last category has no line on the form.
        const all = [...codes.map(({ code }) => code), 'OTHER'];
        const lines = Object.fromEntries(codes.map(({ line, code }) => [code, line]));
        const inputs = inputsOf({
          categories: all.map((code) => categoryOf(code, [claiming(`for ${code}.`)])),
          configuration: configurationOf({ outputOptions: { form: { definition: name, entries, lines } } }),
        });
        const read = bookings.map(([index, cents]) => lineOf(1, shown(BigInt(-cents)), { description: `for ${all[index]!}.`, currency }));
        const { form, controls, warnings, totals } = await compute(inputs, read);
        const ofLine = (index: number) => add(...bookings.filter(([at]) => at === index).map(([, cents]) => BigInt(cents)));
        const found = new Map<string, ClaimReportFormLineDto>(form!.sections.flatMap((one) => one.lines).map((line) => [line.id, line]));
        for (const [id, cents] of Object.entries(expected((line) => ofLine(codes.findIndex((one) => one.line === line)))))
          expect([id, found.get(id)!.amount]).toEqual([id, shown(cents)]);
        expect(form!.notOnForm).toBe(shown(ofLine(codes.length)));
        expect(controls.filter(({ ok }) => !ok)).toEqual([]);
        expect(controls).toContainEqual(
          expect.objectContaining({ name: 'form_lines_and_others_make_claimable', actual: totals.claimable }),
        );
        const codesOfWarnings = warnings.map(({ code }) => code);
        expect(codesOfWarnings).not.toContain('form_entries_missing');
        expect(codesOfWarnings.includes('form_line_missing')).toBe(ofLine(codes.length) !== 0n);
      }),
      { numRuns: 200 },
    );
  });
});
