import { type BeforeApplicationShutdown, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import pg from 'pg';
import { DataSource, type EntityManager, QueryFailedError } from 'typeorm';
import { counter } from '../../kernel/metrics.js';
import { Problem, unavailable } from '../../kernel/problems.js';
import { Settings } from '../../kernel/settings/settings.js';
import type { Trace } from '../../kernel/trace.js';
import { addressOf, awaitedOn, cutOff, poolOf, runnerOn, sendTogether } from './borrowed.js';
import { askPooler, DIRECT, POOLED, type SessionFacts } from './behind-pooler.js';
import { BEGIN_WITH_SETTINGS } from './connection-options.js';
import { LOCK_NOT_AVAILABLE } from './lock-codes.js';
import { execute, type Execution, PreparedStatements, type Sql } from './prepared-statements.js';
import { POSITION, type Position, ReadReplica } from './read-replica.js';
import { SHOW, shownBy } from './row-security.js';
import { SharedConnections } from './shared-connections.js';
import { SilenceWatch } from './silence.js';

export { prepared, type Sql } from './prepared-statements.js';

/** Longer than the server's own timeouts: it applies when the server does not answer at all. */
const ANSWERED_WITHIN_MS = 35_000;
const LOOKED_AT_EVERY_MS = 5000;

/** Such as those that a firewall has forgotten. Looked for now and then: a timer for each statement would cost more than many of these. */
export class UnansweredConnections {
  private readonly timer: NodeJS.Timeout;
  private awaited = new Map<pg.PoolClient, { readonly statement: object; readonly since: number }>();

  constructor(
    private readonly connections: ReadonlySet<pg.PoolClient>,
    private readonly answeredWithinMs = ANSWERED_WITHIN_MS,
    everyMs = LOOKED_AT_EVERY_MS,
  ) {
    this.timer = setInterval(() => this.look(), everyMs).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private look(): void {
    const [before, now] = [this.awaited, performance.now()];
    this.awaited = new Map();
    for (const client of this.connections) {
      const statement = awaitedOn(client);
      if (!statement) continue;
      const known = before.get(client);
      const awaited = known?.statement === statement ? known : { statement, since: now };
      if (now - awaited.since > this.answeredWithinMs) cutOff(client);
      else this.awaited.set(client, awaited);
    }
  }
}

type Client = Pick<pg.PoolClient, 'query'>;
type LookedUp = Record<string, unknown>;
interface Open {
  readonly client: pg.PoolClient;
  readonly trace?: Trace | undefined;
}

type Unnamed = Pick<Sql, 'text'> & { readonly name?: string | undefined };

/** SQLSTATE classes and codes that mean “try again later”: connections, credentials, resources, shutdown, read-only, timeout. */
const UNAVAILABLE = /^(08|28|3D|53|57P0|25006|57014)/;
const UNIQUE_VIOLATION = '23505';
const AWAY = counter('database_unavailable_total', 'Statements and transactions that failed since the database was not available.');
const READ_ONLY = '25006';
const TRANSACTION_FAILED = '25P02';

/** Access to Postgres: named statements, TypeORM's entity manager, and one reading of what errors mean. */
@Injectable()
export class Database implements OnModuleInit, BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly shared: SharedConnections;
  private readonly replica: ReadReplica | undefined;
  private readonly isPooled: boolean;
  private session: SessionFacts;
  private readonly watch: SilenceWatch;
  private readonly unanswered: UnansweredConnections;
  private readonly connections = new Set<pg.PoolClient>();
  /** Connections to a server that has turned out to be read-only: they are closed instead of used again. */
  private readonly outdated = new WeakSet<pg.PoolClient>();
  /** Called with an error, each of these stops waiting for a connection. */
  private readonly waiting = new Set<(error: Error) => void>();

  constructor(
    readonly dataSource: DataSource,
    settings: Settings,
  ) {
    this.isPooled = settings.databasePooler === 'transaction';
    this.session = this.isPooled ? POOLED : DIRECT;
    this.shared = new SharedConnections(
      () => this.take(),
      (client, lookUps) => this.sendLookUps(client, lookUps),
    );
    this.replica = settings.databaseReadUrl === undefined ? undefined : new ReadReplica(settings.databaseReadUrl, settings);
    this.watch = new SilenceWatch(
      settings.databaseUrl!,
      (address) => this.cutOff(address),
      () => new Set([...this.connections].flatMap((client) => addressOf(client) ?? [])),
    );
    this.unanswered = new UnansweredConnections(this.connections);
    // Not 'connect': TypeORM has opened a first connection before.
    this.pool.on('acquire', (client) => this.know(client));
    this.pool.on('remove', (client) => this.connections.delete(client));
  }

  async onModuleInit(): Promise<void> {
    if (this.isPooled) this.session = await this.askPooler();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.shared.close(), this.replica?.end()]);
  }

  onApplicationShutdown(): void {
    this.watch.stop();
    this.unanswered.stop();
  }

  get begin(): string {
    return this.session.hasSettings ? 'BEGIN' : BEGIN_WITH_SETTINGS;
  }

  private get pool(): pg.Pool {
    return poolOf(this.dataSource);
  }

  /** Runs one statement: in the open transaction if there is one, else on any connection. */
  rows<Row extends object>(statement: Sql, values: readonly unknown[], unit?: Open): Promise<Row[]> {
    if (unit?.trace) return unit.trace.step(statement.name, () => this.rows<Row>(statement, values, { client: unit.client }));
    return this.answered(() => (unit ? this.rowsOn<Row>(unit.client, statement, values) : this.rowsOnAny<Row>(statement, values)));
  }

  /** Runs one statement on a connection that is open. Without a name it is not kept prepared. */
  async rowsOn<Row extends object>(client: pg.PoolClient, statement: Unnamed, values: readonly unknown[]): Promise<Row[]> {
    if (isNamed(statement) && this.session.keepsStatements) return execute<Row>(client, statement, values);
    const shown = shownBy(statement, values);
    // In the transaction of the statement, which fails with it.
    if (shown !== undefined) client.query(SHOW.text, [shown]).catch(() => undefined);
    const { name, text } = statement;
    return (await client.query<Row>({ text, values: [...values], ...(name && { name }) })).rows;
  }

  /** Like `rows`, for a look-up by key: it shares a connection with the look-ups of other requests. */
  shortRead<Row extends object>(statement: Sql, values: readonly unknown[], trace?: Trace): Promise<Row[]> {
    if (trace) return trace.step(statement.name, () => this.shortRead<Row>(statement, values));
    if (this.shared.isClosed) return this.rows<Row>(statement, values);
    return this.answered(() => this.shared.query<Row>(statement, values));
  }

  /** Like `rows`, for a list: from the replica, if there is one that has all that the primary has by now. */
  async longRead<Row extends object>(
    statement: Sql,
    values: readonly unknown[],
    { unit, trace }: { readonly unit?: Open; readonly trace?: Trace | undefined } = {},
  ): Promise<Row[]> {
    // The statements of a transaction are traced one by one.
    if (trace && !unit) return trace.step(statement.name, () => this.longRead<Row>(statement, values));
    const { replica } = this;
    if (unit || !replica?.isAsked) return this.rows<Row>(statement, values, unit);
    const [now] = await this.shortRead<Position>(POSITION, []);
    return (await replica.rows<Row>(now!, statement, values)) ?? this.rows<Row>(statement, values);
  }

  /** TypeORM's entity manager, in the open transaction if there is one: for queries that are not worth a statement of their own. */
  manager(unit?: { readonly client: Client }): EntityManager {
    const client = unit?.client ?? (this.session.hasSettings ? undefined : this.anyClient);
    return client ? this.dataSource.createEntityManager(runnerOn(this.dataSource, client)) : this.dataSource.manager;
  }

  connect(): Promise<pg.PoolClient> {
    return this.answered(() => this.take());
  }

  /** Waits for an answer of the database. An error is read, and a database that stays silent is one. */
  async answered<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.watch.during(work);
    } catch (error) {
      if (codeOf(error) === READ_ONLY) this.leaveServer();
      // pg's own stack ends at the socket. This one names the caller.
      if (error instanceof pg.DatabaseError) Error.captureStackTrace(error);
      const read = readError(error);
      if (read instanceof Problem && read.code === 'unavailable') AWAY.inc();
      throw read;
    }
  }

  private rowsOnAny<Row extends object>(statement: Unnamed, values: readonly unknown[]): Promise<Row[]> {
    return this.onAny((client) => this.rowsAlone<Row>(client, statement, values));
  }

  private async onAny<T>(ask: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.take();
    try {
      const answer = await ask(client);
      client.release();
      return answer;
    } catch (error) {
      // The server has answered, so the connection is still good.
      client.release(error instanceof pg.DatabaseError ? undefined : (error as Error));
      throw error;
    }
  }

  private rowsAlone<Row extends object>(client: pg.PoolClient, statement: Unnamed, values: readonly unknown[]): Promise<Row[]> {
    const { hasSettings, keepsStatements } = this.session;
    const isWhole = (isNamed(statement) && keepsStatements) || shownBy(statement, values) === undefined;
    if (hasSettings && isWhole) return this.rowsOn<Row>(client, statement, values);
    return this.inTransaction(client, () => this.rowsOn<Row>(client, statement, values));
  }

  /**
   * A statement gets a transaction where a session has not our settings, timeouts above all, and where it is on locked tables and is
   * not kept prepared. All leave in one packet.
   */
  private async inTransaction<T>(client: pg.PoolClient, send: () => Promise<T>): Promise<T> {
    sendTogether(client);
    const sent = [client.query(this.begin), send(), client.query('COMMIT')] as const;
    const [begun, done, committed] = await Promise.allSettled(sent);
    for (const outcome of [begun, done, committed]) if (outcome.status === 'rejected') throw outcome.reason;
    return (done as PromiseFulfilledResult<T>).value;
  }

  private sendLookUps(client: pg.PoolClient, lookUps: readonly Execution[]): void {
    const { hasSettings, keepsStatements } = this.session;
    if (hasSettings && keepsStatements) return void client.query(new PreparedStatements(client, lookUps));
    if (!hasSettings) return void this.sendInTransaction(client, lookUps);
    sendTogether(client);
    for (const { statement, values, resolve, reject } of lookUps) this.rowsAlone<LookedUp>(client, statement, values).then(resolve, reject);
  }

  /** Those behind one that fails are asked again, each alone. */
  private async sendInTransaction(client: pg.PoolClient, lookUps: readonly Execution[]): Promise<void> {
    const send = () => Promise.allSettled(lookUps.map(({ statement, values }) => this.rowsOn<LookedUp>(client, statement, values)));
    try {
      const outcomes = await this.inTransaction(client, send);
      for (const [index, { statement, values, resolve, reject }] of lookUps.entries()) {
        const outcome = outcomes[index]!;
        if (outcome.status === 'fulfilled') resolve(outcome.value);
        else if (codeOf(outcome.reason) === TRANSACTION_FAILED) this.rowsOnAny<LookedUp>(statement, values).then(resolve, reject);
        else reject(outcome.reason);
      }
    } catch (error) {
      for (const { reject } of lookUps) reject(error);
    }
  }

  /** For TypeORM: each of its statements goes to any connection, behind a pooler. */
  private readonly anyClient: Client = {
    query: ((text: string, values?: unknown[]) =>
      this.answered(() => this.onAny((client) => this.inTransaction(client, () => client.query(text, values))))) as Client['query'],
  };

  /**
   * Between statements nobody waits for an answer, and an 'error' event without a listener would end the process. It is listened for before
   * the pool's own listener is gone: the server may end a session in the packet that opens it, which is read in one go.
   */
  private know(client: pg.PoolClient): void {
    if (this.connections.has(client)) return;
    this.connections.add(client);
    client.on('error', () => undefined);
  }

  private async askPooler(): Promise<SessionFacts> {
    const client = await this.connect();
    try {
      return await askPooler(client);
    } finally {
      client.release(true);
    }
  }

  private take(): Promise<pg.PoolClient> {
    return new Promise((resolve, reject) => {
      this.waiting.add(reject);
      this.pool.connect().then(
        (client) => {
          if (!this.waiting.delete(reject)) return client.release();
          if (!this.outdated.has(client)) return resolve(client);
          client.release(true);
          resolve(this.take());
        },
        (error: Error) => {
          this.waiting.delete(reject);
          reject(error);
        },
      );
    });
  }

  /**
   * After a failover, connections may lead to a server that no longer accepts writes, while the address leads to another one. All
   * are made anew, those in use after their work.
   */
  private leaveServer(): void {
    for (const client of this.connections) this.outdated.add(client);
    this.shared.discard();
  }

  /** Ends every connection to a silent database, or to one of its addresses: calls do not wait for its answer. */
  private cutOff(address?: string): void {
    for (const client of this.connections) if (address === undefined || addressOf(client) === address) cutOff(client);
    if (address !== undefined) return;
    const error = new Error('The database is silent.');
    for (const reject of this.waiting) reject(error);
    this.waiting.clear();
  }
}

const isNamed = (statement: Unnamed): statement is Sql => Boolean(statement.name);

/** The SQLSTATE that the server reported. */
export function codeOf(error: unknown): string | undefined {
  const cause = reported(error);
  return cause instanceof pg.DatabaseError ? cause.code : undefined;
}

/** TypeORM wraps what the server reported. */
export const reported = (error: unknown): unknown => (error instanceof QueryFailedError ? error.driverError : error);

/** Errors of the server stay what they are. That the database is unavailable becomes the problem that callers are told about. */
export function readError(error: unknown): unknown {
  if (error instanceof Problem) return error;
  const cause = reported(error);
  const code = codeOf(error);
  if (code !== undefined && !UNAVAILABLE.test(code)) return error;
  // A mistake of ours is never waited out.
  if (cause instanceof TypeError || cause instanceof RangeError) return error;
  return unavailable('The database is not available at the moment.', cause);
}

/** The unique constraint that a failed insert or update has violated, if that is why it failed. */
export function brokenConstraint(error: unknown): string | undefined {
  const cause = reported(error);
  return cause instanceof pg.DatabaseError && cause.code === UNIQUE_VIOLATION ? cause.constraint : undefined;
}

export const isLockTimeout = (error: unknown): boolean => LOCK_NOT_AVAILABLE.includes(codeOf(error)!);

/** The table or index whose row was not had in time. */
export const lockedRelation = (error: unknown): string | undefined =>
  isLockTimeout(error) ? /relation "(\w+)"/.exec((reported(error) as pg.DatabaseError).where ?? '')?.[1] : undefined;
