import { describe, expect, it } from 'vitest';
import { keyOf } from '../../../tools/personal-data/fixtures/lines.js';
import { Redactor } from '../../../tools/personal-data/index.js';
import { COUNTRIES } from './countries/all.js';
import { LAST } from './countries/last.js';
import { LATER } from './countries/later.js';
import type { Kind } from './lines.js';
import { measure, type Measures } from './measure.js';

/** What a release has to reach in each language, */
const LEAST: Readonly<Record<Kind, number>> = { person: 0.97, address: 0.97, number: 0.99, firm: 0.95 };
/** and of people in lines that hardly any rule was made for. */
const LEAST_OF_OTHERS = 0.8;
const SEEDS = [20_260_101, 20_260_102];
const PER_FORM = 8;
const MOST_SHOWN = 20;

function measureAll(name: string, redact: Parameters<typeof measure>[3]): Measures {
  const country = COUNTRIES.find((one) => one.name === name)!;
  const all = SEEDS.flatMap((seed) => [country, { ...country, ...LATER[name] }].map((one) => measure(one, seed, PER_FORM, redact)));
  const sum = (kind: Kind) => ({
    found: all.reduce((total, one) => total + one[kind].found, 0),
    all: all.reduce((total, one) => total + one[kind].all, 0),
    missed: all.flatMap((one) => one[kind].missed),
  });
  return { person: sum('person'), address: sum('address'), number: sum('number'), firm: sum('firm') };
}

describe('of lines as the banks of a country write them', () => {
  it.each(COUNTRIES)('people, addresses and numbers are masked and firms stay readable: $name', ({ name }) => {
    const redactor = new Redactor(keyOf('r'));
    const measures = measureAll(name, (line) => redactor.redact(line));
    for (const [kind, { found, all, missed }] of Object.entries(measures) as [Kind, Measures[Kind]][]) {
      expect(all, kind).toBeGreaterThan(50);
      const share = found / all;
      expect(share, `${kind}: ${found} of ${all}\n${missed.slice(0, MOST_SHOWN).join('\n')}`).toBeGreaterThanOrEqual(LEAST[kind]);
    }
  });

  it.each(COUNTRIES)('people are masked in lines that hardly any rule was made for: $name', (country) => {
    const redactor = new Redactor(keyOf('r'));
    const { person } = measure({ ...country, ...LAST[country.name] }, SEEDS[0]!, PER_FORM * 2, (line) => redactor.redact(line));
    expect(person.found / person.all, person.missed.slice(0, MOST_SHOWN).join('\n')).toBeGreaterThanOrEqual(LEAST_OF_OTHERS);
  });

  it.each(COUNTRIES)('nothing is counted as masked if the line is left as it is: $name', ({ name }) => {
    const { person, address, number, firm } = measureAll(name, (line) => line);
    for (const { found } of [person, address, number]) expect(found).toBe(0);
    expect(firm.found).toBe(firm.all);
  });
});
