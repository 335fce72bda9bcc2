import { describe, expect, it } from 'vitest';
import { keyOf, lineWith } from './fixtures/lines.js';
import { checkRedactedLine, Redactor, ResidualData } from './redactor.js';

const key = keyOf('a');
const declared = (given: Parameters<typeof lineWith>[0]) => checkRedactedLine(lineWith(given), key);

describe('a line that is declared as redacted', () => {
  it('is stored unchanged, except for its own account', () => {
    const given = {
      account: 'DE02120300000000202051',
      description: 'Rent ***',
      counterparty: 'Person 14',
      counterpartyAccount: 'xxxx3000',
      reference: '2026-0007',
    };
    expect(declared(given)).toEqual({
      ...new Redactor(key).redact(lineWith(given)),
      description: 'Rent ***',
      counterparty: 'Person 14',
      counterpartyAccount: 'xxxx3000',
      reference: '2026-0007',
    });
    expect(declared(given).account).toMatch(/^ACCOUNT-\w{12} \(2051\)$/);
  });

  it.each(['****3000', 'DE** **** 3000', 'XXXXXXXX3000', 'ACCOUNT-7Q2M4XKD9A7Q (3000)'])(
    'keeps an own account that is masked: %s',
    (account) => {
      expect(declared({ account }).account).toBe(account);
    },
  );

  it('takes no token for the street of an address', () => {
    const reference = 'rent ACCOUNT-CX7E22PCGCRC 2026 2026 ACCOUNT-RKFEM2DZAP55';
    expect(declared({ reference }).reference).toBe(reference);
    expect(() => declared({ reference: 'rent Heron 2026 2026 Reading' })).toThrow(ResidualData);
  });

  it('masks an own account that is barely masked', () => {
    expect(declared({ account: '12345678*' }).account).toMatch(/^ACCOUNT-/);
  });

  it.each([
    [{ description: 'Mail jane@example.com' }, 'email', 'description'],
    [{ reference: 'DE89 3704 0044 0532 0130 00' }, 'iban', 'reference'],
    [{ counterparty: 'Herr Max Muster' }, 'person', 'counterparty'],
    [{ counterpartyAddress: '12 High Street, London SW1A 1AA' }, 'postal_address', 'counterpartyAddress'],
    [{ counterpartyAccount: '0532013000' }, 'account', 'counterpartyAccount'],
    [{ account: '0532013000', description: 'from 532013000' }, 'account', 'description'],
    [{ owner: 'Jürgen Zaunkönig', description: 'Rent ZAUNKOENIG JUERGEN' }, 'person', 'description'],
  ])('fails the statement if it contains personal data: %j', (given, kind, field) => {
    const message = `Line 7: the ${field} still contains personal data (${kind}).`;
    expect(() => declared(given)).toThrow(ResidualData);
    expect(() => declared(given)).toThrow(expect.objectContaining({ code: 'RESIDUAL_PII', message }));
  });
});
