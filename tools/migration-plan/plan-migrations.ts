import type { DataSource } from 'typeorm';
import { recordMigration, readOnly, type Migration, type RecordedMigration, type RecordedStatement } from './record-migration.js';
import { plainName, withoutTexts } from './split-sql.js';
import { blocksOthers, createdBy, type Effect, effectsOf } from './statement-rules.js';

export interface PlannedStatement extends RecordedStatement {
  /** What it does to tables that others use. */
  readonly effects: readonly Effect[];
  /** Why it should not run beside the service, each with what to do instead. */
  readonly faults: readonly string[];
}

export interface PlannedMigration extends Omit<RecordedMigration, 'statements'> {
  readonly statements: readonly PlannedStatement[];
}

/** What the pending migrations would do now. Only reads, and only what the migrations themselves read. */
export async function planPending(source: DataSource, pending: readonly string[]): Promise<PlannedMigration[]> {
  const read = readOnly(source);
  const planner = new Planner();
  const planned: PlannedMigration[] = [];
  for (const migration of source.migrations as Migration[]) {
    const recorded = await recordMigration(migration, read);
    if (pending.includes(recorded.name)) planned.push(planner.plan(recorded));
    else planner.learn(recorded);
  }
  return planned;
}

/** Judges migrations one after the other: what one has prepared, the next may rely on. */
export class Planner {
  /** Tables and indexes that these migrations create: nobody else uses them yet. */
  private readonly created = new Set<string>();
  private readonly indexed = new Map<string, string>();
  /** The column of each CHECK (… IS NOT NULL) that was not validated when it was added. */
  private readonly checks = new Map<string, string>();
  /** Columns that a validated CHECK proves to have no NULL. */
  private readonly proven = new Set<string>();
  /** Tables with a policy that shows all rows to a version that makes no setting: `coalesce(… current_setting(…, true) …)`. */
  private readonly open = new Set<string>();

  learn({ statements }: RecordedMigration): void {
    for (const { sql } of statements) this.note(sql);
  }

  /** From now on their tables are in use. */
  forgetCreated(): void {
    this.created.clear();
  }

  plan(migration: RecordedMigration): PlannedMigration {
    for (const name of migration.statements.map(({ sql }) => createdBy(sql))) if (name) this.created.add(name);
    let [transaction, blocked] = [0, undefined as string | undefined];
    const statements = migration.statements.map((statement) => {
      if (statement.transaction !== transaction) [transaction, blocked] = [statement.transaction, undefined];
      const found = this.effectsOf(statement.sql);
      const effects = found?.filter((effect) => this.isOfOthers(effect)).map((effect) => this.ofTable(effect)) ?? [];
      const faults = found ? faultsOf(statement, effects, migration, blocked) : [UNKNOWN];
      blocked ??= effects.find(blocksOthers)?.table;
      this.note(statement.sql);
      return { ...statement, effects, faults };
    });
    return { ...migration, statements };
  }

  private effectsOf(sql: string): Effect[] | undefined {
    const [, name, column] = SET_NOT_NULL.exec(sql) ?? [];
    const effects = effectsOf(withoutTexts(sql));
    const [, secured] = ENABLE_POLICIES.exec(sql) ?? [];
    if (secured && this.open.has(plainName(secured))) return effects?.map((effect) => ({ ...effect, breaks: undefined }));
    if (!name || !this.proven.has(`${plainName(name)}.${plainName(column!)}`)) return effects;
    // A validated CHECK spares Postgres the look at the rows.
    return effects?.map((effect) => ({ ...effect, isLong: false, instead: undefined }));
  }

  private isOfOthers({ table }: Effect): boolean {
    return ![table, this.indexed.get(table)].some((name) => name !== undefined && this.created.has(name));
  }

  private ofTable(effect: Effect): Effect {
    return { ...effect, table: this.indexed.get(effect.table) ?? effect.table };
  }

  private note(sql: string): void {
    const [, index, indexed] = CREATE_INDEX.exec(sql) ?? [];
    if (index) this.indexed.set(plainName(index), plainName(indexed!));
    const [, name, constraint, column] = ADD_CHECK.exec(sql) ?? [];
    if (name) this.checks.set(`${plainName(name)}.${plainName(constraint!)}`, plainName(column!));
    const [, open] = OPEN_POLICY.exec(sql) ?? [];
    if (open) this.open.add(plainName(open));
    const [, table, validated] = VALIDATE.exec(sql) ?? [];
    const proven = table && this.checks.get(`${plainName(table)}.${plainName(validated!)}`);
    if (proven) this.proven.add(`${plainName(table)}.${proven}`);
  }
}

const OPEN_POLICY = /^CREATE POLICY \S+ ON ([\w".]+) .*\bcoalesce\(.*\bcurrent_setting\('[\w.]+', true\)/is;
const ENABLE_POLICIES = /^ALTER TABLE ([\w".]+) ENABLE ROW LEVEL SECURITY$/i;
const CREATE_INDEX = /^CREATE (?:UNIQUE )?INDEX (?:CONCURRENTLY )?(?:IF NOT EXISTS )?(\S+) ON (?:ONLY )?([\w".]+)/i;
const SET_NOT_NULL = /^ALTER TABLE (?:ONLY )?(\S+) ALTER (?:COLUMN )?(\S+) SET NOT NULL$/i;
const ADD_CHECK = /^ALTER TABLE (?:ONLY )?(\S+) ADD CONSTRAINT (\S+) CHECK ?\( ?(\S+) IS NOT NULL ?\) NOT VALID$/i;
const VALIDATE = /^ALTER TABLE (?:ONLY )?(\S+) VALIDATE CONSTRAINT (\S+)$/i;
const UNKNOWN = 'No rule knows what this locks: write it in another way, or add a rule to src/store/database/migration-plan.';
/** A lock or a setting that lasts longer than its transaction. */
const OF_SESSION =
  /^(?:SELECT (?:.*\b)?pg_(?:try_)?advisory_(?:un)?lock(?:_shared)?\(|SET (?!LOCAL\b|CONSTRAINTS\b|TRANSACTION\b)|RESET )/is;
const LEFT_BEHIND = 'A pooler would leave it on any connection. Instead: pg_advisory_xact_lock or SET LOCAL, in a transaction.';
const ALONE = 'It cannot run in a transaction: set `transaction = false`, and give it to a query of its own.';

function faultsOf(
  { sql, isInBlock }: RecordedStatement,
  effects: readonly Effect[],
  { afterRelease }: RecordedMigration,
  blocked: string | undefined,
): string[] {
  const faults = effects.flatMap(({ table, lock, isLong, instead, breaks }) => [
    ...(instead ? [`${lock} on ${table}${isLong ? ' for as long as it takes' : ''}. Instead: ${instead}`] : []),
    ...(breaks && !afterRelease ? [`${breaks} Or say the release that is ready for it: \`afterRelease\`.`] : []),
  ]);
  if (isInBlock && /^\w+ (?:UNIQUE )?INDEX CONCURRENTLY\b/i.test(sql)) faults.push(ALONE);
  if (OF_SESSION.test(sql)) faults.push(LEFT_BEHIND);
  if (blocked !== undefined && effects.some(({ isLong }) => isLong))
    faults.push(`${blocked} stays locked meanwhile, since the transaction has altered it. Instead: a migration of its own.`);
  return [...new Set(faults)];
}
