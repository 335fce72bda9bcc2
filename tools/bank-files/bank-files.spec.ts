import { expect, it } from 'vitest';
import { blocksOf, decodedTexts, readBai2, readMt940, readQif, type StatementLine, UnreadableFile } from './index.js';
import { once } from './fixtures/pieces.js';

type Reading = ReturnType<typeof readMt940>;

async function linesOf({ lines }: Pick<Reading, 'lines'>): Promise<Omit<StatementLine, 'lineNumber'>[]> {
  const all: Omit<StatementLine, 'lineNumber'>[] = [];
  for await (const some of lines) all.push(...some);
  return all;
}

const MT940 = ':20:X\n:25:DE89370400440532013000\n:60F:C260227EUR100,00\n:61:2602280228D12,50NTRFNONREF\n:62F:C260228EUR87,50\n';

it('reads a statement from its bytes, with the balances that prove it', async () => {
  const reading = readMt940(decodedTexts(blocksOf(once(Buffer.from(MT940))), () => 0));
  expect(await linesOf(reading)).toMatchObject([{ bookedOn: '2026-02-28', amount: '-12.50', currency: 'EUR' }]);
  expect(reading.balances()).toMatchObject([{ opening: '100.00', closing: '87.50' }]);
  expect(reading.warnings()).toEqual([]);
});

it('refuses a file with a code and the place, and no content', async () => {
  const broken = readMt940(once(MT940.replace('D12,50', 'Dsecret')));
  const error: unknown = await linesOf(broken).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UnreadableFile);
  expect(error).toMatchObject({ code: expect.any(String) as string, message: expect.stringContaining('line 4') as string });
  expect((error as Error).message).not.toContain('secret');
});

it('asks the program for the decimals of a currency', async () => {
  const file = [
    '01,BANK,ME,260228,1200,1,,,2/',
    '02,ME,BANK,1,260228,,,2/',
    '03,1234,XTS,,,,/',
    '16,195,12345,Z,,,Payment',
    '49,12345,3/',
    '98,12345,1,5/',
    '99,12345,1,7/',
  ].join('\n');
  const read = (digits: number) => linesOf(readBai2(once(file), { minorDigitsOf: () => digits }));
  expect((await read(2)).map(({ amount }) => amount)).toEqual(['123.45']);
  expect((await read(3)).map(({ amount }) => amount)).toEqual(['12.345']);
});

it('asks the program what an opening balance is called', async () => {
  const file = '!Type:Bank\nD2026-02-28\nT100.00\nPAnfang\nL[Bank]\n^\n';
  const read = async (name: string) => {
    const reading = readQif(once(file), { saysOpening: (text) => text === name });
    return [await linesOf(reading), reading.balances()].map(({ length }) => length);
  };
  expect(await read('Anfang')).toEqual([0, 1]);
  expect(await read('Opening')).toEqual([1, 0]);
});
