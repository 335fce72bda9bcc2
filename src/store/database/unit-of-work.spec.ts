import { describe, expect, it } from 'vitest';
import { lastStatement, type LastWrite } from './unit-of-work.js';

const row = (table: string, value: unknown): LastWrite => ({
  name: table,
  sql: (bind) => `INSERT INTO ${table} VALUES (${bind(value)})`,
  row: (bind) => `(${bind(value)})`,
});
const update = (name: string, value: unknown, onReturned?: () => void): LastWrite => ({
  name,
  sql: (bind) => `UPDATE t SET a = ${bind(value)}`,
  ...(onReturned && { onReturned }),
});

describe('what a transaction writes at its end', () => {
  it('is nothing if there is nothing to write', () => expect(lastStatement([])).toBeUndefined());

  it('is one statement with all values in the order of their numbers, and rows of one table as one insertion in their order', () => {
    expect(lastStatement([row('events', 1), update('answer', 'x'), row('audit', 2), row('events', 3)])).toEqual({
      text: 'WITH write0 AS (INSERT INTO events VALUES ($1), ($2)), write1 AS (UPDATE t SET a = $3) INSERT INTO audit VALUES ($4)',
      values: [1, 3, 'x', 2],
      name: 'last:events*2,answer,audit',
    });
  });

  it('ends with what returns rows, wherever that was pushed', () => {
    const returning = update('returning', 2, () => undefined);
    for (const writes of [
      [returning, row('events', 1), row('audit', 3)],
      [row('events', 1), returning, row('audit', 3)],
      [row('events', 1), row('audit', 3), returning],
    ])
      expect(lastStatement(writes)!.text).toMatch(/\) UPDATE t SET a = \$3$/);
  });

  it('two updates of one table stay two, since only rows of insertions can be joined', () => {
    expect(lastStatement([update('u', 1), update('u', 2)])!.text).toBe('WITH write0 AS (UPDATE t SET a = $1) UPDATE t SET a = $2');
  });

  it('has one name for one text: a name says how many rows of a table there are', () => {
    const texts = new Map<string, string>();
    for (const writes of [1, 2, 3].flatMap((events) => [1, 2, 3].map((audit) => [events, audit] as const))) {
      const [events, audit] = writes;
      const { name, text } = lastStatement([
        ...Array.from({ length: events }, (_, at) => row('events', at)),
        ...Array.from({ length: audit }, (_, at) => row('audit', at)),
      ])!;
      expect(name).toBeDefined();
      expect(texts.has(name!)).toBe(false);
      texts.set(name!, text);
    }
    expect(new Set(texts.values()).size).toBe(9);
  });

  it('is kept prepared with six writes and a name of 63 characters, and not with more', () => {
    const many = (count: number) => lastStatement(Array.from({ length: count }, (_, at) => row('events', at)))!;
    expect([many(6).name, many(7).name]).toEqual(['last:events*6', undefined]);
    const long = (length: number) => lastStatement([row('x'.repeat(length - 'last:'.length), 1)])!;
    expect([long(63).name?.length, long(64).name]).toEqual([63, undefined]);
  });
});
