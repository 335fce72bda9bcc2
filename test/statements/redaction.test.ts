import { deserialize } from 'node:v8';
import { describe, expect, it } from 'vitest';
import readAndRedact from '../../src/modules/statements/content/read-and-redact.computation.js';
import { piecesOf } from '../../tools/bank-files/fixtures/pieces.js';
import { TODAY } from '../../src/modules/statements/formats/fixtures/reading.js';
import { samples } from './corpus.js';

const INPUT = {
  options: TODAY,
  key: Buffer.alloc(32, 7),
  isRedacted: false,
  redactCounterparties: true,
  decisions: new Map(),
  keepNames: false,
  account: null,
};
/** Accounts and addresses in the corpus. Not every name in a free text is found: see docs/redaction.md. */
const PERSONAL = /@|DE89370400440532013000|NL91ABNA0417164300|BE68539007547034|CH9300762011623852957/i;

const all = await samples();

describe('the statements of the corpus are redacted, with the texts of columns whose names are not known', () => {
  it.each(all.filter(({ expected }) => expected.lines))('$name', async ({ name, bytes, expected }) => {
    const texts: string[] = [];
    let count = 0;
    for await (const { lines } of readAndRedact({ ...INPUT, fileName: name }, piecesOf(bytes))) {
      const batch = deserialize(lines) as unknown[];
      count += batch.length;
      texts.push(JSON.stringify(batch));
    }
    expect(count).toBe(expected.lines!.length);
    expect(PERSONAL.test(texts.join('\n'))).toBe(false);
  });
});

/** All texts that are kept of a file, and what its reader warns of. */
async function redacted(content: string, more: Partial<typeof INPUT> = {}): Promise<{ texts: string; codes: string[] }> {
  const texts: string[] = [];
  const reading = readAndRedact({ ...INPUT, ...more, fileName: 'a.csv' }, piecesOf(Buffer.from(content)));
  for (;;) {
    const { done, value } = await reading.next();
    if (done) return { texts: texts.join('\n'), codes: value.facts.warnings.map(({ code }) => code) };
    texts.push(JSON.stringify(deserialize(value.lines)));
  }
}

describe('the other party under a header that is not known', () => {
  const headers = [
    ...['Customer', 'Client', 'Contact', 'Kunde', 'Beställare', 'Příjemce/Plátce', 'Ellenoldali név', 'Klient', 'Cliente', 'Fournisseur'],
    ...['Tenant name', 'Billed person', 'Wer', 'Xyzzy', 'Kontakt', 'Partner neve', 'Zákazník', 'Fornitore', 'Fornecedor', 'Leverancier'],
    ...['Leverandør', 'Asiakas', 'Dodavatel', 'Mitarbeiter', 'Pracownik', 'Locataire', 'Hyresgäst', 'Клиент', 'Reason'],
  ];

  it.each(headers)('is never stored as it is: %s', async (header) => {
    const { texts } = await redacted(`Date;Text;Amount;${header}\n2026-03-02;Rent;-1,50;Ida Kranz\n2026-03-03;Tea;-2,50;Zdzisława Brzęk\n`);
    expect(texts).not.toMatch(/Ida|Kranz|Zdzis|Brz/);
    expect(texts.match(/PERSON-/g)).toHaveLength(2);
  });

  it.each(headers)('is never stored as it is, also if it is one word: %s', async (header) => {
    const { texts } = await redacted(`Date;Text;Amount;${header}\n2026-03-02;Rent;-1,50;Zaunbert\n2026-03-03;Tea;-2,50;DESIRAT\n`);
    expect(texts).not.toMatch(/Zaunbert|DESIRAT/);
    expect(texts.match(/PERSON-/g)).toHaveLength(2);
  });

  it('is masked beside a known party, and the warning names its column', async () => {
    const { texts, codes } = await redacted(
      'Date;Text;Amount;Counterparty;Xyzzy\n2026-03-02;Rent;-1,50;Muster Werkzeug GmbH;Ida Kranz\n' +
        ';;;;Tom Linde\n2026-03-03;Tea;-2,50;Kiosk GmbH;\n',
    );
    expect(texts).toContain('Muster Werkzeug GmbH');
    expect(texts).not.toMatch(/Kranz|Linde/);
    expect(codes).toContain('column_masked');
  });

  it('keeps firms and ordinary words, and needs no warning then', async () => {
    const { texts, codes } = await redacted(
      'Date;Text;Amount;Cost centre;Customer reference\n2026-03-02;Tea;-1,50;Office supplies;Invoice 1204\n' +
        '2026-03-03;Tea;-2,50;Muster Werkzeug GmbH;\n',
    );
    for (const kept of ['Cost centre: Office supplies', 'Cost centre: Muster Werkzeug GmbH', 'Invoice 1204']) expect(texts).toContain(kept);
    expect(codes).not.toContain('column_masked');
  });

  it('refuses a file that is said to be redacted', async () => {
    await expect(redacted('Date;Text;Amount;Xyzzy\n2026-03-02;Rent;-1,50;Tom Linde\n', { isRedacted: true })).rejects.toMatchObject({
      code: 'RESIDUAL_PII',
    });
  });
});
