import { describe, expect, it } from 'vitest';
import { readAll } from '../fixtures/reading.js';

const HEADER = 'Date;Description;Amount;Currency';
const periodOf = async (preamble: readonly string[], ...rows: string[]) => {
  const { period } = await readAll([...preamble, '', HEADER, ...rows, ''].join('\n'), 'export.csv');
  return period;
};
const ROW = '15.03.2026;Tea;-4.20;EUR';
const MARCH = { start: '2026-03-01', end: '2026-03-31' };

describe('the period that the lines above the header state', () => {
  it.each([
    [['Konto;Girokonto', 'Zeitraum;01.03.2026 - 31.03.2026']],
    [['Zeitraum:;01.03.2026;31.03.2026']],
    [['* Transactions Period 2026-03-01 - 2026-03-31 Created 2026-04-01 08:00 CET']],
    [['Période du 01.03.2026 au 31.03.2026']],
    [['Von:;2026-03-01;', 'Bis:;2026-03-31;']],
    [['From;2026-03-01', 'To;2026-03-31']],
  ])('is read from %j', async (preamble) => {
    expect(await periodOf(preamble, ROW)).toEqual(MARCH);
  });

  it('has the order of day and month that other dates prove, and is none without a proof', async () => {
    const preamble = ['Period;01/03/2026;06/03/2026'];
    expect(await periodOf(preamble, '02/03/2026;Tea;-4.20;EUR').catch(() => 'refused')).toBe('refused');
    expect(await periodOf(['Period;01/03/2026;31/03/2026'], '15/03/2026;Tea;-4.20;EUR')).toEqual(MARCH);
    expect(await periodOf(['Period;03/01/2026;03/31/2026'], '03/15/2026;Tea;-4.20;EUR')).toEqual(MARCH);
  });

  it('is not believed if a booking is outside', async () => {
    expect(await periodOf(['Zeitraum;01.03.2026 - 14.03.2026'], ROW)).toBeNull();
  });

  it('ends today if it ends later: the bookings of later days are not there yet', async () => {
    expect(await periodOf(['Zeitraum;01.11.2026 - 30.11.2026'], '15.11.2026;Tea;-4.20;EUR')).toEqual({
      start: '2026-11-01',
      end: '2026-11-22',
    });
  });

  it('is none if nothing names one, or without two dates', async () => {
    expect(await periodOf(['Konto;Girokonto', 'Zeitraum;30 Tage'], ROW)).toBeNull();
    expect(await periodOf(['Datei erstellt am: 04.03.2026;05.03.2026'], ROW)).toBeNull();
  });
});
