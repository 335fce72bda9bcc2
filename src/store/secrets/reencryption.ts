import { Injectable } from '@nestjs/common';
import { Database, prepared, type Sql } from '../database/database.js';
import { declareSql, type NamedText } from '../database/prepared-statements.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { Ports } from '../discovery/ports.js';
import { keyIdOf } from './encryption-key-checks.js';
import { type EncryptedColumn, EncryptedColumns, Secrets } from './secrets.js';

/** Small, because a write that needs one of the rows waits for all of them. */
const ROWS_AT_ONCE = 200;
const RETIRE = prepared({ name: 'encryption_key_checks.retire', text: 'DELETE FROM encryption_key_checks WHERE key_id <> $1' });

export interface LeftUnderOldKeys {
  readonly what: string;
  /** Values that are not under the first key. */
  readonly left: number;
  /** Those of them whose key is not among the settings: nobody can read them. */
  readonly unreadable: number;
}

export interface Reencrypted extends LeftUnderOldKeys {
  readonly moved: number;
}

/** Runs beside the service: takes a few rows at a time, skips those that are locked, and finds by itself what an earlier run has left. */
@Injectable()
export class Reencryption {
  constructor(
    private readonly ports: Ports,
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly secrets: Secrets,
  ) {}

  async run(): Promise<Reencrypted[]> {
    const done: Reencrypted[] = [];
    for (const column of this.columns) done.push({ moved: await this.moveAll(column), ...(await this.leftIn(column)) });
    // The other keys may be missing from now on.
    if (done.every(({ left }) => left === 0)) await this.database.rows(RETIRE, [keyIdOf(this.secrets)]);
    return done;
  }

  async left(): Promise<LeftUnderOldKeys[]> {
    return Promise.all(this.columns.map((column) => this.leftIn(column)));
  }

  get columns(): EncryptedColumn[] {
    return this.ports.all(EncryptedColumns).flatMap(({ encrypted }) => encrypted);
  }

  private async moveAll(column: EncryptedColumn): Promise<number> {
    let moved = 0;
    let last: readonly string[] = [];
    for (;;) {
      const batch = await this.moveBatch(column, last);
      moved += batch.moved;
      if (!batch.last) return moved;
      last = batch.last;
    }
  }

  /** Moves the next rows after a key. `last` is undefined at the end of the table. */
  private moveBatch(column: EncryptedColumn, after: readonly string[]): Promise<{ moved: number; last: readonly string[] | undefined }> {
    const { key, owner, rowsAtOnce = ROWS_AT_ONCE } = column;
    const [, ...others] = this.secrets.prefixes;
    return this.unitOfWork.transact(async (unit) => {
      const values = [others, ...after];
      const rows = others.length === 0 ? [] : await this.database.rows<Stored>(nextSql(column, after.length > 0), values, unit);
      const written = await Promise.all(
        rows.map(async (row) => {
          const ids = key.map((_name, index) => row[`key${index}`] as string);
          const again = this.encryptAgain(row.stored, owner(...ids));
          return again !== undefined && (await this.database.rows(updateSql(column), [again, row.stored, ...ids], unit)).length > 0;
        }),
      );
      const last = rows.length < rowsAtOnce ? undefined : key.map((_name, index) => rows.at(-1)![`key${index}`] as string);
      return { moved: written.filter(Boolean).length, last };
    });
  }

  /** Undefined for a value that was damaged: it stays, and is counted as left, but does not stop the others. */
  private encryptAgain(stored: Buffer, owner: string): Buffer | undefined {
    try {
      return this.secrets.encryptBytes(this.secrets.decryptBytes(stored, owner), owner);
    } catch {
      return undefined;
    }
  }

  private async leftIn({ table, column }: EncryptedColumn): Promise<LeftUnderOldKeys> {
    const statement = forAll({
      name: `${table}.${column}.left`,
      text: `SELECT count(*)::int AS left, (count(*) FILTER (WHERE prefix <> ALL($2)))::int AS unreadable
        FROM (SELECT substring(${column} FROM 1 FOR ${PREFIX_BYTES}) AS prefix FROM ${table} WHERE ${column} IS NOT NULL) AS stored
        WHERE prefix <> $1`,
    });
    const { prefixes } = this.secrets;
    const [row] = await this.database.rows<{ left: number; unreadable: number }>(statement, [prefixes[0], prefixes]);
    return { what: `${table}.${column}`, ...row! };
  }
}

const forAll = (sql: NamedText): Sql =>
  declareSql(sql, { reason: 'Finds and changes what is left under old encryption keys, of all tenants.' });

type Stored = { stored: Buffer } & Record<`key${number}`, string>;

const PREFIX_BYTES = Secrets.PREFIX_BYTES;

function nextSql({ table, column, key, rowsAtOnce = ROWS_AT_ONCE }: EncryptedColumn, isContinued: boolean): Sql {
  const list = key.join(', ');
  const after = isContinued ? `AND (${list}) > (${key.map((_name, index) => `$${index + 2}`).join(', ')})` : '';
  return forAll({
    name: `${table}.${column}.next${isContinued ? '_after' : ''}`,
    text: `SELECT ${column} AS stored, ${key.map((name, index) => `${name}::text AS key${index}`).join(', ')} FROM ${table}
      WHERE substring(${column} FROM 1 FOR ${PREFIX_BYTES}) = ANY($1) ${after}
      ORDER BY ${list} LIMIT ${rowsAtOnce}`,
  });
}

function updateSql({ table, column, key }: EncryptedColumn): Sql {
  // Not if somebody has written another value meanwhile: that one is under the first key.
  const where = [column, ...key].map((name, index) => `${name} = $${index + 2}`).join(' AND ');
  const free = `${key[0]} = (SELECT ${key[0]} FROM ${table} WHERE ${where} FOR UPDATE SKIP LOCKED)`;
  const text = `UPDATE ${table} SET ${column} = $1 WHERE ${where} AND ${free} RETURNING true AS written`;
  return forAll({ name: `${table}.${column}.again`, text });
}
