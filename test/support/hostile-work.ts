import { expect } from 'vitest';
import { newId } from '../../src/kernel/ids.js';
import { rowsOf } from './database.js';
import { eventually } from './eventually.js';
import type { openReports } from './reports.js';
import { OWN_IBAN, PATIENCE_MS } from './statements.js';

export { inflatingPage } from '../../src/modules/statements/formats/fixtures/pdf-streams.js';

// Work that takes at least seconds of processor time and is within all limits.

type Reports = Awaited<ReturnType<typeof openReports>>;

/** 4,000 patterns, as dear as requests may have them, none of which has a text that every match must contain. */
export async function manyPatterns({ category }: Reports, patternsPerRule: number): Promise<void> {
  for (let index = 0; index < 200; index += 1) {
    const rules = Array.from({ length: 20 / patternsPerRule }, (_rule, rule) => ({
      any: Array.from({ length: patternsPerRule }, (_pattern, nth) => ({
        field: 'description',
        op: 'matches',
        value: `([a-z]{1,9}[0-9]{1,9}){1,9}[${'abcdef'[nth]}-z]{1,${1 + rule}}`,
      })),
    }));
    await category(`PATTERNS-${index}`, rules);
  }
}

/** Categories with names as long as may be, which a PDF shows. Inserted directly: by the API this would take a minute. */
export async function manyCategories(databaseUrl: string, { organizationId, category }: Reports, count: number): Promise<void> {
  const { id } = await category('CATEGORY-0', []);
  await rowsOf(
    databaseUrl,
    `INSERT INTO expense_categories
      SELECT (jsonb_populate_record(first, jsonb_build_object('id', ids.id, 'code', 'CATEGORY-' || ids.n, 'unique_key', md5(ids.n::text),
        'name', repeat('Überlange Bezeichnung ', 9) || ids.n))).*
      FROM expense_categories first, unnest($2::uuid[]) WITH ORDINALITY AS ids (id, n) WHERE first.id = $1 AND organization_id = $3`,
    [id, Array.from({ length: count }, () => newId()), organizationId],
  );
}

/** A statement with so many lines. Copies of one, made directly: to import them would take a minute. */
export async function manyLines(databaseUrl: string, { taken }: Reports, count: number): Promise<void> {
  // With a short limit, even a small file may take too long on a busy machine.
  const id = await eventually(async () => {
    const statement = await taken();
    expect(statement).toMatchObject({ redactionStatus: 'succeeded' });
    return statement.id;
  }, PATIENCE_MS);
  await rowsOf(
    databaseUrl,
    `INSERT INTO statement_lines
      SELECT (jsonb_populate_record(first, jsonb_build_object('line_number', number, 'fingerprint', md5(number::text)))).*
      FROM statement_lines first, generate_series(6, $2::int) number WHERE statement_id = $1 AND line_number = 1`,
    [id, count],
  );
  await rowsOf(databaseUrl, 'UPDATE bank_statements SET line_count = $2 WHERE id = $1', [id, count]);
}

/** An entry of elements without content; a million of them are as large as an entry may be. */
export function tinyElements(count: number): Buffer {
  return Buffer.from(`<?xml version="1.0"?><Document><BkToCstmrStmt><Stmt><Acct><Id><IBAN>${OWN_IBAN}</IBAN></Id></Acct>
    <Ntry><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-01-05</Dt></BookgDt>
    ${'<a/>'.repeat(count)}</Ntry></Stmt></BkToCstmrStmt></Document>`);
}

/** Lines of 2 KiB: every text is as long as is kept, and every line has another person. */
export function longLines(count: number): Buffer {
  const lines = Array.from({ length: count }, (_line, index) => {
    const text = `Consulting ${index} ${'lorem ipsum dolor '.repeat(60)}`.slice(0, 1000);
    const day = `2026-01-${String(1 + (index % 28)).padStart(2, '0')}`;
    return `${day},${text},-${index}.25,EUR,Jane ${'Q'.repeat(900)} Example ${index},${OWN_IBAN}`;
  });
  return Buffer.from(`Date,Description,Amount,Currency,Counterparty,Account\n${lines.join('\n')}\n`);
}
