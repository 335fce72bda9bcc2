import { Injectable } from '@nestjs/common';
import { Database, prepared } from '../../../../store/database/database.js';
import { entityColumns, insertSql, selectList, valuesOf } from '../../../../store/database/sql.js';
import type { Unit } from '../../../../store/database/unit-of-work.js';
import { Registration } from './registration.entity.js';

const SQL = entityColumns(Registration);
const SELECT = `SELECT ${selectList(SQL)} FROM oauth_registrations`;
const BY_CLIENT_ID = prepared({ name: 'oauth_registrations.by_client_id', text: `${SELECT} WHERE client_id = $1` });
const LISTED = prepared({ name: 'oauth_registrations.listed', text: `${SELECT} WHERE is_listed ORDER BY created_at, client_id` });
const INSERT = prepared({ name: 'oauth_registrations.insert', text: insertSql(SQL) });
const USE = prepared({
  name: 'oauth_registrations.use',
  text: 'UPDATE oauth_registrations SET used_at = $2 WHERE client_id = $1 AND used_at IS NULL',
});
const REMOVE_LISTED = prepared({
  name: 'oauth_registrations.remove_listed',
  text: `DELETE FROM oauth_registrations WHERE client_id = $1 AND is_listed RETURNING ${selectList(SQL)}`,
});
// The oldest make room: a caller who registers many cannot keep others from registering.
const REMOVE_OLDEST = prepared({
  name: 'oauth_registrations.remove_oldest',
  text: `DELETE FROM oauth_registrations WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM oauth_registrations WHERE used_at IS NULL ORDER BY created_at DESC OFFSET $1 FOR UPDATE SKIP LOCKED))`,
});
const EXPIRE = prepared({
  name: 'oauth_registrations.expire',
  text: `DELETE FROM oauth_registrations WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM oauth_registrations WHERE used_at IS NULL AND created_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED))
    RETURNING true AS deleted`,
});

@Injectable()
export class RegistrationsRepository {
  constructor(private readonly database: Database) {}

  async byClientId(clientId: string): Promise<Registration | undefined> {
    return (await this.database.shortRead<Registration>(BY_CLIENT_ID, [clientId]))[0];
  }

  listed(): Promise<Registration[]> {
    return this.database.rows<Registration>(LISTED, []);
  }

  async insert(row: Registration): Promise<void> {
    await this.database.rows(INSERT, valuesOf(SQL, row));
  }

  /** From now on it does not expire. */
  async use(clientId: string, now: string, unit: Unit): Promise<void> {
    await this.database.rows(USE, [clientId, now], unit);
  }

  async removeListed(clientId: string): Promise<Registration | undefined> {
    return (await this.database.rows<Registration>(REMOVE_LISTED, [clientId]))[0];
  }

  async removeOldest(kept: number): Promise<void> {
    await this.database.rows(REMOVE_OLDEST, [kept]);
  }

  async expire(before: Date, limit: number): Promise<number> {
    return (await this.database.rows(EXPIRE, [before.toISOString(), limit])).length;
  }
}
