import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { newId } from '../../../kernel/ids.js';
import { Clock } from '../../../kernel/time.js';
import { Database, prepared } from '../../../store/database/database.js';
import { entityColumns, namedInsertSql, namedValuesOf, selectList } from '../../../store/database/sql.js';
import { Implements } from '../../../store/discovery/ports.js';
import { EncryptedColumns, Secrets } from '../../../store/secrets/secrets.js';
import { acrossTenants, ORGANIZATION, organizationSql } from '../../../store/tenant/tenant-sql.js';
import type { AuditPosition } from '../audit.repository.js';
import { AuditCheckpoint, AuditKey, AuditTile } from './checkpoint.entity.js';
import { bytesOf, TILE } from '../../../../tools/transparency-log/index.js';

const LEAVES = organizationSql(
  'audit_events.leaves',
  `SELECT hash, created_at AS "createdAt", id FROM audit_events
    WHERE ${ORGANIZATION} AND created_at >= :createdAt AND (created_at, id) > (:createdAt, :id) ORDER BY created_at, id LIMIT :limit`,
);
const TILES = entityColumns(AuditTile);
const CHECKPOINTS = entityColumns(AuditCheckpoint);
const LAST_TILE = organizationSql(
  'audit_tiles.last',
  `SELECT tile, last_created_at AS "createdAt", last_id AS id FROM audit_tiles
    WHERE ${ORGANIZATION} AND level = 0 ORDER BY tile DESC LIMIT 1`,
);
const TILE_LEAVES = organizationSql(
  'audit_tiles.leaves',
  `SELECT hashes FROM audit_tiles WHERE ${ORGANIZATION} AND level = 0 AND tile = :tile`,
);
const ROOTS = organizationSql(
  'audit_tiles.roots',
  `SELECT root FROM audit_tiles WHERE ${ORGANIZATION} AND level = :level AND tile >= :first AND tile < :end ORDER BY tile`,
);
// Another process may add the same: what it adds is the same, too.
const ADD_TILE = organizationSql('audit_tiles.add', `${namedInsertSql(TILES)} ON CONFLICT DO NOTHING`);
const ADD_CHECKPOINT = organizationSql('audit_checkpoints.add', `${namedInsertSql(CHECKPOINTS)} ON CONFLICT DO NOTHING`);
const SELECT = `SELECT ${selectList(CHECKPOINTS)} FROM audit_checkpoints WHERE ${ORGANIZATION}`;
const NEWEST = organizationSql('audit_checkpoints.newest', `${SELECT} ORDER BY size DESC LIMIT 1`);
const BETWEEN = organizationSql('audit_checkpoints.between', `${SELECT} AND size >= :first AND size <= :last ORDER BY size`);
const GROWN = acrossTenants(
  'audit_chains.grown',
  'A worker signs checkpoints of the logs that have grown, of any organization.',
  `SELECT organization_id AS "organizationId" FROM audit_chains chain
    WHERE sequence > COALESCE((SELECT max(size) FROM audit_checkpoints known WHERE known.organization_id = chain.organization_id), 0)
      AND organization_id > :after
    ORDER BY organization_id LIMIT :limit`,
);

const BEFORE_ALL: AuditPosition = { createdAt: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

export type Leaf = AuditPosition & { readonly hash: string };

@Injectable()
export class CheckpointsRepository {
  constructor(private readonly database: Database) {}

  /** The organizations behind one whose logs are longer than their newest checkpoints say. */
  async grown(limit: number, after = BEFORE_ALL.id): Promise<string[]> {
    const rows = await this.database.rows<{ organizationId: string }>(...GROWN.bind({ limit, after }));
    return rows.map(({ organizationId }) => organizationId);
  }

  leaves(organizationId: string, after: AuditPosition | undefined, limit: number): Promise<Leaf[]> {
    return this.database.rows<Leaf>(...LEAVES.bind({ organizationId }, { ...(after ?? BEFORE_ALL), limit }));
  }

  /** The last whole tile of leaves, and the position of its last row. */
  async lastTile(organizationId: string): Promise<(AuditPosition & { readonly tile: number }) | undefined> {
    return (await this.database.shortRead<AuditPosition & { tile: number }>(...LAST_TILE.bind({ organizationId })))[0];
  }

  async tileLeaves(organizationId: string, tile: number): Promise<Buffer[] | undefined> {
    const [row] = await this.database.shortRead<{ hashes: Buffer }>(...TILE_LEAVES.bind({ organizationId }, { tile }));
    return row && Array.from({ length: TILE }, (_none, at) => row.hashes.subarray(at * 32, (at + 1) * 32));
  }

  async roots(organizationId: string, level: number, group: number): Promise<Buffer[]> {
    const [first, end] = [group * TILE, (group + 1) * TILE];
    return (await this.database.shortRead<AuditTile>(...ROOTS.bind({ organizationId }, { level, first, end }))).map(({ root }) => root);
  }

  async addTile(tile: AuditTile): Promise<void> {
    await this.database.rows(...ADD_TILE.bind(tile, namedValuesOf(TILES, tile)));
  }

  async add(checkpoint: AuditCheckpoint): Promise<void> {
    await this.database.rows(...ADD_CHECKPOINT.bind(checkpoint, namedValuesOf(CHECKPOINTS, checkpoint)));
  }

  async newest(organizationId: string): Promise<AuditCheckpoint | undefined> {
    return (await this.database.shortRead<AuditCheckpoint>(...NEWEST.bind({ organizationId })))[0];
  }

  /** Each has a size of its own, so that there are no more than sizes. */
  between(organizationId: string, first: number, last: number): Promise<AuditCheckpoint[]> {
    return this.database.rows<AuditCheckpoint>(...BETWEEN.bind({ organizationId }, { first, last }));
  }
}

const KEYS = entityColumns(AuditKey);
const ALL_KEYS = prepared({ name: 'audit_keys.all', text: `SELECT ${selectList(KEYS)} FROM audit_keys ORDER BY id LIMIT 1000` });
const ADD_KEY = prepared({
  name: 'audit_keys.add',
  text: `INSERT INTO audit_keys (id, public_key, secret, created_at) VALUES ($1, $2, $3, $4)`,
});

const boundTo = (id: string): string => `audit key ${id}`;
/** A new key signs after this. Those before it stay published, since checkpoints that they have signed are kept. */
const SIGNS_MS = 90 * 86_400_000;
const LOOKED_UP_MS = 60_000;

type SigningPair = { readonly secret: KeyObject; readonly publicKey: Buffer };

@Injectable()
@Implements(EncryptedColumns)
export class AuditKeys implements EncryptedColumns {
  readonly encrypted = [{ table: 'audit_keys', column: 'secret', key: ['id'], owner: boundTo }];
  private known: { readonly pair: SigningPair; readonly untilMs: number } | undefined;

  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
  ) {}

  /** The newest last. */
  all(): Promise<AuditKey[]> {
    return this.database.shortRead<AuditKey>(ALL_KEYS, []);
  }

  /** What signs now. If two processes make one at the same time, both sign for a while, and both are published. */
  async pair(): Promise<SigningPair> {
    if (this.known && this.clock.elapsedMs() < this.known.untilMs) return this.known.pair;
    let newest = (await this.all()).at(-1);
    if (!newest || this.clock.now().getTime() - Date.parse(newest.createdAt) > SIGNS_MS) {
      const { privateKey, publicKey } = generateKeyPairSync('ed25519');
      const id = newId();
      const secret = this.secrets.encryptBytes(privateKey.export({ format: 'der', type: 'pkcs8' }), boundTo(id));
      newest = { id, publicKey: bytesOf(publicKey), secret, createdAt: this.clock.timestamp() };
      await this.database.rows(ADD_KEY, [id, newest.publicKey, secret, newest.createdAt]);
    }
    const key = this.secrets.decryptBytes(newest.secret, boundTo(newest.id));
    const pair = { secret: createPrivateKey({ key, format: 'der', type: 'pkcs8' }), publicKey: newest.publicKey };
    this.known = { pair, untilMs: this.clock.elapsedMs() + LOOKED_UP_MS };
    return pair;
  }
}
