import { describe, expect, it } from 'vitest';
import { samples } from './corpus.js';
import { bookingsOf, readAll } from '../../src/modules/statements/formats/fixtures/reading.js';
import { once } from '../../tools/bank-files/fixtures/pieces.js';
import { draftLayout } from '../../src/modules/statements/formats/draft-layout.js';

const draft = (text: string) => draftLayout(once(Buffer.from(text)), 'My bank');

/** Names that no bank has used yet, in a language that nobody knows. */
const UNKNOWN = [
  'Grub;Wen;Plok;Sarn;Vint',
  '13.04.2026;Jane Example;Invoice 17;-12,50;87,50',
  '14.04.2026;Max Mustermann;Refund;2,50;90,00',
  '15.04.2026;Jane Example;Invoice 18;-40,00;50,00',
  '',
].join('\n');

describe('a draft of a layout', () => {
  it('names amount and balance as they prove each other, and the party by its names; the file is read by it', async () => {
    const { layout, guesses } = await draft(UNKNOWN);
    expect(layout).toEqual({
      name: 'My bank',
      columns: { Grub: 'date', Wen: 'counterparty', Plok: 'description', Sarn: 'amount', Vint: 'balance' },
      amounts: 'signed',
    });
    expect(guesses).toEqual([
      'column 1 is read as date, by its cells',
      'column 2 is read as counterparty, by its cells',
      'column 3 is read as description, by its cells',
    ]);
    const read = await readAll(UNKNOWN, 'a.csv', undefined, { layout });
    expect([bookingsOf(read), read.certainty]).toEqual([['2026-04-13 -12.50', '2026-04-14 2.50', '2026-04-15 -40.00'], 'proven']);
  });

  it('numbers the columns of a file without a header', async () => {
    const { layout } = await draft('13.04.2026;Shop;-12,50;EUR\n14.04.2026;Cafe;-2,50;EUR\n');
    expect(layout).toMatchObject({ width: 4, columns: { '1': 'date', '2': 'description', '3': 'amount', '4': 'currency' } });
  });

  it('says what no cell shows: the order of day and month, and the direction of amounts without a sign', async () => {
    const { layout, guesses } = await draft('Grub;Plok;Sarn\n03/04/2026;Shop;12,50\n04/04/2026;Cafe;2,50\n');
    expect(layout.dates).toBe('day-month');
    expect(guesses.join('; ')).toMatch(/the day is taken to be.*|charges-positive/);
    expect(guesses).toHaveLength(5);
  });

  it('has no text of a booking', async () => {
    expect(JSON.stringify(await draft(UNKNOWN))).not.toMatch(/Jane|Mustermann|Invoice|12,50/);
  });

  it('is refused for what is no table', async () => {
    await expect(draft('Dear all,\nthe statement is attached.\n')).rejects.toMatchObject({ code: 'no_table' });
  });
});

describe('a draft for a table of the corpus with other names', async () => {
  const tables = (await samples()).filter(
    ({ name, expected }) => /^(de|nl|se|fi|dk|no)\/.*\.csv$/.test(name) && expected.layout && expected.lines,
  );
  it('reads the same amounts in four of five, and is never proven of others', async () => {
    let same = 0;
    for (const { bytes } of tables) {
      const whole = await readAll(bytes, 'a.csv');
      const drafted = await draftLayout(once(bytes), 'My bank').catch(() => null);
      const read = drafted && (await readAll(bytes, 'a.csv', undefined, { layout: drafted.layout }).catch(() => null));
      if (!read) continue;
      const amounts = (all: typeof whole): string[] => all.lines.map(({ amount }) => amount);
      if (JSON.stringify(amounts(read)) === JSON.stringify(amounts(whole))) same += 1;
      else expect(read.certainty).not.toBe('proven');
    }
    expect(tables.length).toBeGreaterThan(15);
    expect(same / tables.length).toBeGreaterThan(0.8);
  });
});
