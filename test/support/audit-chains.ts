import fc from 'fast-check';
import { CHAIN_START, hashOfRow, type ChainedRow } from '../../src/modules/audit/audit-chain.js';

/** An exported row: the members of the chain and any others. */
export type Row = ChainedRow & Record<string, unknown>;

/** Any JSON, including member names that are special in JavaScript. */
export const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('__proto__', 'constructor', 'toString', 'hash', 'ﬁ', 'é', 'e\u0301', '\u2028', '💶'),
);
export const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.maxSafeInteger(),
    text,
    tie('list'),
    tie('record'),
  ),
  list: fc.array(tie('value'), { maxLength: 4 }),
  record: fc.dictionary(text, tie('value'), { maxKeys: 4 }),
}));
export const readBack = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
const contents = fc
  .record({
    id: fc.uuid(),
    environment: fc.constantFrom(null, 'test', 'live'),
    actor: fc.record({ type: fc.constantFrom('api', 'user', 'system'), name: text }),
    action: text,
    changes: json.record,
  })
  .map(readBack);
/** Chains of any rows. */
export const chains = (minLength: number) => fc.array(contents, { minLength, maxLength: 8 }).map(chainOf);

/** The rows with their places in a chain. */
export function chainOf(rows: readonly { readonly id: string }[]): Row[] {
  let { hash } = CHAIN_START;
  return rows.map((content, index) => {
    const row = { ...content, sequence: index + 1, previousHash: hash };
    hash = hashOfRow(row);
    return { ...row, hash };
  });
}
