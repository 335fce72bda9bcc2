import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Tenant } from '../../kernel/context.js';
import { idAt } from '../../kernel/ids.js';
import { Problem } from '../../kernel/problems.js';
import type { RecordLimit } from '../../kernel/record-limits.js';
import { Settings } from '../../kernel/settings/settings.js';
import { Clock } from '../../kernel/time.js';
import { Database, prepared, type Sql } from '../database/database.js';
import type { Unit } from '../database/unit-of-work.js';

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
  readonly only?: string;
  /** The condition compares with the time, as `$TIME`. */
  readonly isTimed?: boolean;
  /** The records have no environment. */
  readonly isShared?: boolean;
}

type Bound = RecordBound & Counted;

/** Of webhook endpoints, one may also be moved to the other environment. */
const COUNTED: Record<RecordLimit, Counted> = {
  expenseCategories: { noun: 'expense categories', table: 'expense_categories' },
  reportConfigurations: { noun: 'report configurations', table: 'report_configurations' },
  bankStatements: { noun: 'bank statements', table: 'bank_statements' },
  apiKeys: {
    noun: 'valid API keys',
    table: 'api_keys',
    only: 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $TIME)',
    isTimed: true,
  },
  applications: { noun: 'applications', table: 'oauth_applications' },
  webhooks: { noun: 'webhook endpoints', table: 'webhook_endpoints', canShrink: true },
  members: { noun: 'members', table: 'users', only: "status <> 'removed'", isShared: true },
};

// Creates of one tenant follow each other near the bound, so that concurrent ones cannot exceed it.
const LOCK = prepared({ name: 'record_bounds.queue_up', text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))' });

/**
 * Bounds how many records a tenant has, also for concurrent creates. Counting up to 10,000 rows with each create would make it
 * slower. So a count that is far from the bound is trusted for as long as the tenant needs at least to get there, and near the
 * bound only the newest records are counted again.
 */
@Injectable()
export class RecordBounds {
  private readonly farUntil = new LRUCache<string, number>({ max: MAX_TENANTS });
  /** How many records have an id below another one. */
  private readonly older = new LRUCache<string, { readonly count: number; readonly until: string }>({ max: MAX_TENANTS });
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
  async create<T>(ctx: Tenant & { readonly unit: Unit }, limit: RecordLimit | RecordBound, write: () => Promise<T>): Promise<T> {
    const bound = this.boundOf(limit);
    const { name, max } = bound;
    const key = `${name} ${ctx.organizationId} ${bound.isShared ? '' : ctx.environment}`;
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

  private boundOf(limit: RecordLimit | RecordBound): Bound {
    if (typeof limit !== 'string') return limit;
    return { ...COUNTED[limit], name: limit, max: this.settings.recordLimits[limit] };
  }

  private async count(ctx: Tenant & { readonly unit: Unit }, bound: Bound, key: string): Promise<number> {
    const locked = this.database.rows(LOCK, [key], ctx.unit);
    const { only, canShrink = only !== undefined } = bound;
    const counted = canShrink ? this.countAll(ctx, bound) : this.countSince(ctx, bound, key);
    return (await Promise.all([counted, locked]))[0];
  }

  private async countAll({ organizationId, environment, unit }: Tenant & { readonly unit: Unit }, bound: Bound): Promise<number> {
    const { isShared, isTimed, max } = bound;
    const values = [organizationId, max, ...(isShared ? [] : [environment]), ...(isTimed ? [this.clock.timestamp()] : [])];
    return (await this.database.rows<{ count: number }>(countOf(bound), values, unit))[0]!.count;
  }

  /** Records of these kinds are deleted only with their organization, and ids grow with time: so the older ones are counted once. */
  private async countSince(ctx: Tenant & { readonly unit: Unit }, bound: Bound, key: string): Promise<number> {
    const { count: known, until: since } = this.older.get(key) ?? { count: 0, until: NIL };
    const until = idAt(new Date(this.clock.now().getTime() - LATE_COMMIT_MS).toISOString(), 0);
    const values = [ctx.organizationId, ctx.environment, since, until];
    const [row] = await this.database.rows<{ count: number; older: number }>(countSinceOf(bound), values, ctx.unit);
    this.older.set(key, { count: known + row!.older, until });
    return known + row!.count;
  }
}

/** Counts no more rows than matter. */
function countOf({ table, only, isShared }: Bound): Sql {
  const conditions = [
    'organization_id = $1',
    ...(isShared ? [] : ['environment = $3']),
    ...(only ? [only.replace('$TIME', isShared ? '$3' : '$4')] : []),
  ];
  const rows = `SELECT 1 FROM ${table} WHERE ${conditions.join(' AND ')} LIMIT $2`;
  return prepared({ name: `record_bounds.${table}`, text: `SELECT count(*)::int AS count FROM (${rows}) counted` });
}

function countSinceOf({ table }: Bound): Sql {
  return prepared({
    name: `record_bounds.${table}_since`,
    text: `SELECT count(*)::int AS count, (count(*) FILTER (WHERE id < $4))::int AS older
      FROM ${table} WHERE organization_id = $1 AND environment = $2 AND id >= $3`,
  });
}

function limitExceeded({ name, noun, isShared, max }: Bound, { environment }: Tenant, count: number): Problem {
  const where = isShared ? 'The organization' : `The ${environment} environment of the organization`;
  return new Problem('limit_exceeded', { detail: `${where} has ${count} ${noun}. The limit \`${name}\` is ${max}.` });
}
