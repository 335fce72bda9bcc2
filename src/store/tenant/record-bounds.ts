import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { atMost } from '../../kernel/bounded.js';
import type { Tenant } from '../../kernel/context.js';
import { idAt } from '../../kernel/ids.js';
import { Problem } from '../../kernel/problems.js';
import type { RecordLimit } from '../../kernel/record-limits.js';
import { Settings } from '../../kernel/settings/settings.js';
import { Clock, later } from '../../kernel/time.js';
import { Database, prepared } from '../database/database.js';
import type { TenantRow } from '../database/columns.js';
import type { Unit, WriteContext } from '../database/unit-of-work.js';
import type { ListOptions } from './page-sql.js';
import { TenantRepository } from './tenant-repository.js';
import { ORGANIZATION, organizationSql, TENANT, tenantSql } from './tenant-sql.js';

/** No tenant creates more records in a second than this, however high its rate limit. */
const FASTEST_PER_SECOND = 5000;
const LONGEST_MS = 60_000;
const MAX_TENANTS = 10_000;
/** A record gets its id before its commit, possibly from another machine's clock. No commit is later than this. */
const LATE_COMMIT_MS = 60_000;
const NIL = '00000000-0000-0000-0000-000000000000';

/** How many records of a kind an extension lets a tenant have in each environment. Its table has an index that begins with both. */
export interface RecordBound {
  /** What refusals call it: `suppliers`. */
  readonly name: string;
  /** What people call the records: `purchase orders`. */
  readonly noun: string;
  readonly table: string;
  readonly max: number;
  /** The records can be deleted. */
  readonly canShrink?: boolean;
}

/** What is counted: the rows of a table, or those of them for which a further condition holds. */
interface Counted extends Omit<RecordBound, 'name' | 'max'> {
  /** It may compare with the time, as `:now`. */
  readonly only?: string;
  /** The records have no environment. */
  readonly isShared?: boolean;
}

/** How a module of the product declares the same. The settings say how many there may be. */
export interface LimitedRecords extends Counted {
  readonly name: RecordLimit;
}

type Bound = RecordBound & Counted;

// Creates of one tenant follow each other near the bound, so that concurrent ones cannot exceed it.
const LOCK = prepared({ name: 'record_bounds.queue_up', text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))' });

/**
 * Bounds how many records a tenant has, also for concurrent creates. Counting up to 10,000 rows with each create would make it
 * slower. So a count that is far from the bound is trusted for as long as the tenant needs at least to get there, and near the
 * bound only the newest records are counted again.
 */
@Injectable()
export class RecordBounds {
  private readonly farUntil = new LRUCache<string, number>(atMost(MAX_TENANTS));
  /** How many records have an id below another one. */
  private readonly older = new LRUCache<string, { readonly count: number; readonly until: string }>(atMost(MAX_TENANTS));
  private readonly burst: number;
  private readonly perSecond: number;

  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {
    const tiers = Object.values(settings.rateLimits);
    this.burst = Math.min(FASTEST_PER_SECOND, Math.max(...tiers.map(({ burst }) => burst)));
    this.perSecond = Math.min(FASTEST_PER_SECOND, Math.max(...tiers.map(({ perMinute }) => perMinute / 60)));
  }

  /**
   * Writes a new record, or moves one into the environment of the context. The count leaves in the same packet; if there are too
   * many records, nothing is written.
   */
  async create<T>(ctx: Tenant & { readonly unit: Unit }, records: LimitedRecords | RecordBound, write: () => Promise<T>): Promise<T> {
    const bound = 'max' in records ? records : { ...records, max: this.settings.recordLimits[records.name] };
    const { name, max, isShared }: Bound = bound;
    const key = `${name} ${ctx.organizationId} ${isShared ? '' : ctx.environment}`;
    if ((this.farUntil.get(key) ?? 0) > performance.now()) return write();
    const [counted, written] = await Promise.allSettled([this.count(ctx, bound, key), write()]);
    if (counted.status === 'rejected') throw counted.reason;
    if (counted.value >= max) throw limitExceeded(bound, ctx, counted.value);
    if (written.status === 'rejected') throw written.reason;
    // What others create meanwhile is in the burst.
    const safeMs = ((max - counted.value - 2 * this.burst) / this.perSecond) * 1000;
    if (safeMs > 0) this.farUntil.set(key, performance.now() + Math.min(LONGEST_MS, safeMs));
    return written.value;
  }

  private async count(ctx: Tenant & { readonly unit: Unit }, bound: Bound, key: string): Promise<number> {
    const locked = this.database.rows(LOCK, [key], ctx.unit);
    const { only, canShrink = only !== undefined } = bound;
    const counted = canShrink ? this.countAll(ctx, bound) : this.countSince(ctx, bound, key);
    return (await Promise.all([counted, locked]))[0];
  }

  private async countAll(ctx: Tenant & { readonly unit: Unit }, bound: Bound): Promise<number> {
    const counted = countOf(bound).bind(ctx, { max: bound.max, now: this.clock.timestamp() });
    return (await this.database.rows<{ count: number }>(...counted, ctx.unit))[0]!.count;
  }

  /**
   * Records of these kinds are deleted only with their organization, and ids grow with time: so the older ones are counted once. A test
   * environment may be emptied: its are counted each time.
   */
  private async countSince(ctx: Tenant & { readonly unit: Unit }, bound: Bound, key: string): Promise<number> {
    const { count: known, until: since } = (ctx.environment === 'test' ? undefined : this.older.get(key)) ?? { count: 0, until: NIL };
    const until = idAt(later(this.clock, -LATE_COMMIT_MS), 0);
    const counted = countSinceOf(bound).bind(ctx, { since, until });
    const [row] = await this.database.rows<{ count: number; older: number }>(...counted, ctx.unit);
    this.older.set(key, { count: known + row!.older, until });
    return known + row!.count;
  }
}

/** The records of a tenant that are bounded like this. */
export abstract class BoundedRepository<Row extends TenantRow> extends TenantRepository<Row> {
  constructor(
    database: Database,
    private readonly bounds: RecordBounds,
    entity: new () => Row,
    private readonly records: LimitedRecords,
    options?: ListOptions,
  ) {
    super(database, entity, options);
  }

  override insert(ctx: WriteContext, row: Row): Promise<void> {
    return this.bounds.create(ctx, this.records, () => super.insert(ctx, row));
  }
}

const ONLY_HOW_MANY = 'Only how many there are.';

/** Counts no more rows than matter. */
function countOf({ table, only, isShared }: Bound) {
  const rows = `SELECT 1 FROM ${table} WHERE ${isShared ? ORGANIZATION : TENANT}${only ? ` AND ${only}` : ''} LIMIT :max`;
  const text: string = `SELECT count(*)::int AS count FROM (${rows}) counted`;
  const name = `record_bounds.${table}`;
  return isShared ? organizationSql(name, text) : tenantSql(name, text, ONLY_HOW_MANY);
}

const countSinceOf = ({ table }: Bound) =>
  tenantSql(
    `record_bounds.${table}_since`,
    `SELECT count(*)::int AS count, (count(*) FILTER (WHERE id < :until))::int AS older
      FROM ${table} WHERE ${TENANT} AND id >= :since`,
    ONLY_HOW_MANY,
  );

function limitExceeded({ name, noun, isShared, max }: Bound, { environment }: Tenant, count: number): Problem {
  const where = isShared ? 'The organization' : `The ${environment} environment of the organization`;
  return new Problem('limit_exceeded', { detail: `${where} has ${count} ${noun}. The limit \`${name}\` is ${max}.` });
}
