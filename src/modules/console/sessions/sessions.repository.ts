import { Injectable } from '@nestjs/common';
import { Database, prepared } from '../../../store/database/database.js';
import type { Unit } from '../../../store/database/unit-of-work.js';
import { entityColumns, insertSql, selectList, valuesOf } from '../../../store/database/sql.js';
import { ConsoleSession, type LinkPurpose, SignInLink } from './console-session.entity.js';

const SESSION = entityColumns(ConsoleSession);
const LINK = entityColumns(SignInLink);
const BY_TOKEN = prepared({
  name: 'console_sessions.by_token',
  text: `SELECT ${selectList(SESSION)} FROM console_sessions WHERE token_hash = $1 AND expires_at > $2 AND last_seen_at > $3`,
});
const OF_USERS = prepared({
  name: 'console_sessions.of_users',
  text: `SELECT ${selectList(SESSION)} FROM console_sessions WHERE user_id = ANY($1) AND expires_at > $2 AND last_seen_at > $3
    ORDER BY last_seen_at DESC`,
});
const INSERT = prepared({ name: 'console_sessions.insert', text: insertSql(SESSION) });
const DELETE_OLDEST = prepared({
  name: 'console_sessions.delete_oldest',
  text: `DELETE FROM console_sessions
    WHERE id IN (SELECT id FROM console_sessions WHERE user_id = $1 ORDER BY created_at DESC OFFSET $2)`,
});
const SEE = prepared({
  name: 'console_sessions.see',
  text: 'UPDATE console_sessions SET last_seen_at = $2, ip_address = $3 WHERE id = $1 AND last_seen_at < $2',
});
const DELETE = prepared({
  name: 'console_sessions.delete',
  text: 'DELETE FROM console_sessions WHERE id = $1 AND user_id = ANY($2) RETURNING id',
});
const DELETE_OTHERS = prepared({
  name: 'console_sessions.delete_others',
  text: 'DELETE FROM console_sessions WHERE user_id = ANY($1) AND id <> $2 RETURNING id',
});
const EXPIRE = prepared({
  name: 'console_sessions.expire',
  text: `DELETE FROM console_sessions WHERE id IN (SELECT id FROM console_sessions WHERE expires_at <= $1 LIMIT $2) RETURNING id`,
});
const INSERT_LINK = prepared({ name: 'sign_in_links.insert', text: insertSql(LINK) });
const LINK_OF = prepared({
  name: 'sign_in_links.find',
  text: 'SELECT user_id AS "userId" FROM sign_in_links WHERE token_hash = $1 AND purpose = $2 AND expires_at > $3',
});
const USE_LINK = prepared({
  name: 'sign_in_links.use',
  text: 'DELETE FROM sign_in_links WHERE token_hash = $1 AND purpose = $2 AND expires_at > $3 RETURNING user_id',
});
const END_LINKS = prepared({ name: 'sign_in_links.end', text: 'DELETE FROM sign_in_links WHERE user_id = ANY($1)' });
const EXPIRE_LINKS = prepared({ name: 'sign_in_links.expire', text: 'DELETE FROM sign_in_links WHERE expires_at <= $1' });
const NIL = '00000000-0000-0000-0000-000000000000';

/** Found by the hash of a token, before anybody knows whose it is. */
@Injectable()
export class SessionsRepository {
  constructor(private readonly database: Database) {}

  async byToken(tokenHash: Buffer, now: string, seenAfter: string): Promise<ConsoleSession | undefined> {
    return (await this.database.shortRead<ConsoleSession>(BY_TOKEN, [tokenHash, now, seenAfter]))[0];
  }

  ofUsers(userIds: readonly string[], now: string, seenAfter: string): Promise<ConsoleSession[]> {
    return this.database.rows<ConsoleSession>(OF_USERS, [userIds, now, seenAfter]);
  }

  async insert(session: ConsoleSession, kept: number): Promise<void> {
    await this.database.rows(INSERT, valuesOf(SESSION, session));
    await this.database.rows(DELETE_OLDEST, [session.userId, kept]);
  }

  async see(id: string, now: string, ipAddress: string): Promise<void> {
    await this.database.rows(SEE, [id, now, ipAddress]);
  }

  async delete(id: string, userIds: readonly string[]): Promise<boolean> {
    return (await this.database.rows(DELETE, [id, userIds])).length > 0;
  }

  /** Without an id, all. */
  async deleteOthers(userIds: readonly string[], id = NIL, unit?: Unit): Promise<number> {
    return (await this.database.rows(DELETE_OTHERS, [userIds, id], unit)).length;
  }

  async expire(now: string, limit: number): Promise<number> {
    await this.database.rows(EXPIRE_LINKS, [now]);
    return (await this.database.rows(EXPIRE, [now, limit])).length;
  }

  async insertLink(link: SignInLink, unit: Unit): Promise<void> {
    await this.database.rows(INSERT_LINK, valuesOf(LINK, link), unit);
  }

  async userOfLink(purpose: LinkPurpose, tokenHash: Buffer, now: string): Promise<string | undefined> {
    return (await this.database.shortRead<{ userId: string }>(LINK_OF, [tokenHash, purpose, now]))[0]?.userId;
  }

  async useLink(purpose: LinkPurpose, tokenHash: Buffer, now: string, unit: Unit): Promise<boolean> {
    return (await this.database.rows(USE_LINK, [tokenHash, purpose, now], unit)).length > 0;
  }

  async endLinks(userIds: readonly string[], unit: Unit): Promise<void> {
    await this.database.rows(END_LINKS, [userIds], unit);
  }
}
