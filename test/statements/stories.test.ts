import { describe, expect, it } from 'vitest';
import { JobFailure } from '../../src/kernel/failure.js';
import { OFX_2 } from '../../src/modules/statements/formats/fixtures/ofx.js';
import { bookingsOf, readAll } from '../../src/modules/statements/formats/fixtures/reading.js';

// Files that were once read wrong, with nothing said. Each is a story of its own, in as few lines as show it.

const HEADER = 'Date,Description,Amount,Currency\n';

/** Bookings, certainty and codes of warnings; or the code of the refusal. */
async function found(content: string | Buffer): Promise<unknown[] | string> {
  try {
    const read = await readAll(content, 'a.csv');
    return [bookingsOf(read).map((booking) => booking.slice(11)), read.certainty, ...read.warnings.map(({ code }) => code)];
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error;
    return error.code;
  }
}

describe('charges of a card that have no sign', () => {
  const CHARGES = '2026-03-02,TESCO,20.10,GBP\n2026-03-03,SHELL,40.00,GBP\n2026-03-05,AMAZON,12.99,GBP\n';

  it.each([
    'AUTOMATIC PAYMENT',
    'MOBILE PYMT',
    'AUTOPAY 12345',
    'Lastschrifteinzug',
    'Prélèvement automatique',
    'Betaling ontvangen',
    'PAYMENT RECEIVED',
  ])('are doubtful beside %s with a minus', async (payment) => {
    expect((await found(`${HEADER}${CHARGES}2026-03-20,${payment},-500.00,GBP\n`)).slice(1)).toEqual(['doubtful', 'signs_may_be_inverted']);
  });

  it('are doubtful in an OFX that calls them debits', async () => {
    expect((await found(OFX_2.replace('-12.00', '12.00'))).slice(1)).toEqual(['doubtful', 'signs_may_be_inverted']);
  });
});

describe('fees', () => {
  it('that are returned are added', async () => {
    const file = 'Date,Description,Amount,Fee,Currency\n2026-03-02,Pay,-20.00,1.00,EUR\n2026-03-03,Refund,20.00,-1.00,EUR\n';
    expect(await found(file)).toEqual([['-21.00 EUR', '21.00 EUR'], 'plausible']);
  });

  it('are charged if all of them have a minus sign', async () => {
    const file = 'Date,Description,Amount,Fee,Currency\n2026-03-02,Pay,-20.00,-1.00,EUR\n2026-03-03,Pay,-30.00,-2.00,EUR\n';
    expect(await found(file)).toEqual([['-21.00 EUR', '-32.00 EUR'], 'plausible']);
  });

  it('that the balances prove to be in the amounts are not taken off again', async () => {
    const rows = ['2026-03-02,Pay,-21.00,1.00,EUR,79.00', '2026-03-03,Pay,-11.00,1.00,EUR,68.00', '2026-03-04,Pay,-5.00,0.00,EUR,63.00'];
    const file = `Date,Description,Amount,Fee,Currency,Balance\n${rows.join('\n')}\n`;
    expect(await found(file)).toEqual([['-21.00 EUR', '-11.00 EUR', '-5.00 EUR'], 'proven']);
  });
});

describe('amounts in another unit', () => {
  it.each(['Amount (cents)', 'Amount (pence)', 'Amount (minor units)', 'Betrag (TEUR)', 'Amount (000s)', 'Amount (x1000)'])(
    '%s are refused',
    async (name) => {
      expect(await found(`Date,Description,${name},Currency\n2026-03-02,a,-1.20,EUR\n`)).toBe('unit_not_supported');
    },
  );

  it('with parts of a cent are doubtful, but not in a currency that has them', async () => {
    expect(await found(`${HEADER}2026-03-02,a,-1.005,EUR\n2026-03-03,b,-1.00,EUR\n`)).toEqual([
      ['-1.005 EUR', '-1.00 EUR'],
      'doubtful',
      'amount_inexact',
    ]);
    expect(await found(`${HEADER}2026-03-02,a,-1.005,KWD\n2026-03-03,b,-1.00,KWD\n`)).toEqual([['-1.005 KWD', '-1.00 KWD'], 'plausible']);
  });
});

describe('rows that are not booked', () => {
  it('below a row that says so are left out, until another says the opposite', async () => {
    const file = `${HEADER}Pending transactions,,,\n2026-03-02,TESCO,-20.10,GBP\nPosted transactions,,,\n2026-03-01,SHELL,-40.00,GBP\n`;
    expect(await found(file)).toEqual([['-40.00 GBP'], 'plausible', 'not_booked']);
  });

  it('are not those below a text that is continued with the same words', async () => {
    const file = `${HEADER}2026-03-02,TESCO,-20.10,GBP\n,Payment not declined by us,,\n,Non-food,,\n2026-03-01,SHELL,-40.00,GBP\n`;
    expect(await found(file)).toEqual([['-20.10 GBP', '-40.00 GBP'], 'plausible']);
  });

  it.each([
    ['Pending', 'Yes', 'No'],
    ['Is pending?', 'true', 'false'],
    ['Booked', 'No', 'Yes'],
    ['Gebucht', 'nein', 'ja'],
  ])('are left out if the column %s says %s', async (name, out, counted) => {
    const file = `Date,Description,Amount,Currency,${name}\n2026-03-02,TESCO,-20.10,GBP,${out}\n2026-03-01,SHELL,-40.00,GBP,${counted}\n`;
    expect(await found(file)).toEqual([['-40.00 GBP'], 'plausible', 'not_booked']);
  });

  it('are left out if their text begins with the word', async () => {
    expect(await found(`${HEADER}2026-03-02,PENDING - TESCO,-20.10,GBP\n2026-03-01,SHELL,-40.00,GBP\n`)).toEqual([
      ['-40.00 GBP'],
      'plausible',
      'not_booked',
    ]);
    expect(await found(`${HEADER}2026-03-02,Pending Ltd,-20.10,GBP\n`)).toEqual([['-20.10 GBP'], 'plausible']);
  });
});

describe('totals and balances among the bookings', () => {
  it.each(['ANCIEN SOLDE AU 28/02/2026', 'NOUVEAU SOLDE AU 31.03.2026', 'Opening balance as of 2026-03-01', 'Alter Saldo vom 28.02.2026'])(
    '“%s” is no booking, and is told',
    async (text) => {
      const read = await found(`${HEADER}2026-03-02,CB TULIP,-1.00,EUR\n2026-03-31,${text},500.00,EUR\n`);
      expect(read).toEqual([['-1.00 EUR'], 'doubtful', 'turnover_left_out']);
    },
  );

  it.each(['Total', 'Zwischensumme März', 'Subtotal', 'Sous-total mars'])('“%s” with a day is doubtful', async (text) => {
    const read = await found(`${HEADER}2026-03-02,Laden,-1.00,EUR\n2026-03-31,${text},-1.00,EUR\n`);
    expect(read.slice(1)).toEqual(['doubtful', 'total_counted']);
  });
});

describe('columns that have changed places', () => {
  it('are refused if an amount stands where an account or an id should', async () => {
    const file = 'Date,Description,Amount,Currency,IBAN\n2026-03-02,a,12345678,EUR,"-84.20"\n';
    expect(await found(file)).toBe('row_does_not_fit');
  });

  it('are told if a row has moved behind a word for a balance', async () => {
    expect((await found(`${HEADER}2026-03-02,a,-60.00,EUR\n,2026-03-03,Balance yoga,-15.00,EUR\n`)).slice(1)).toContain('doubtful');
  });
});

describe('accounts that Excel has rounded', () => {
  it('are refused as the own account, and left out as that of the other party', async () => {
    const file = (name: string): string => `Date,Description,Amount,Currency,${name}\n2026-03-02,a,-1.00,EUR,1.23457E+11\n`;
    expect(await found(file('Own account'))).toBe('row_does_not_fit');
    const { lines } = await readAll(file('Counterparty account'), 'a.csv');
    expect(lines).toMatchObject([{ counterpartyAccount: null }]);
  });
});

describe('texts of other times and countries', () => {
  const described = async (bytes: readonly number[]): Promise<string | undefined> =>
    (await readAll(Buffer.from([...Buffer.from(`${HEADER}2026-03-02,`), ...bytes, ...Buffer.from(',-1.00,PLN\n')]), 'a.csv')).lines[0]
      ?.description;

  it('are read in Polish, as Windows writes it', async () => {
    expect(await described([0xa3, 0xf3, 0x64, 0x9f, 0x20, 0x8c, 0x77, 0x69, 0xea, 0x74, 0x6f])).toBe('Łódź Święto');
  });

  it('are read in Czech, as Windows writes it, also with letters that Western encodings have no place for', async () => {
    expect(await described([0x9d, 0x61, 0x73, 0x74, 0x6e, 0xfd, 0x20, 0x8d])).toBe('ťastný Ť');
  });

  it('are read in Serbian, as Windows writes it', async () => {
    const file = [0xc4, 0xe0, 0xf2, 0xf3, 0xec, 0x2c, 0xce, 0xef, 0xe8, 0xf1, 0x2c, 0xc8, 0xe7, 0xed, 0xee, 0xf1]; // Датум,Опис,Износ
    const text = [0xcc, 0xe5, 0x90, 0xe0]; // Међа, with a letter that DOS has, too
    const bytes = Buffer.from([...file, ...Buffer.from('\n2026-03-02,'), ...text, ...Buffer.from(',-1.00\n')]);
    expect((await readAll(bytes, 'a.csv')).lines[0]?.description).toBe('Међа'.replace('ђ', '\u0452'));
  });

  it('are read in German, as DOS writes it', async () => {
    expect(await described([0x4d, 0x81, 0x6c, 0x6c, 0x65, 0x72])).toBe('Müller');
  });

  it('are read in French, as Windows writes it', async () => {
    expect(await described([0x63, 0x9c, 0x75, 0x72, 0x20, 0x6c, 0x92, 0xe9, 0x74, 0xe9])).toBe('cœur l’été');
  });
});
