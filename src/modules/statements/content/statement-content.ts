import type readAndRedact from './read-and-redact.computation.js';
import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../kernel/context.js';
import type { BankStatement, AccountBalance, StoredReadingOptions } from '../statement.entity.js';
import { LinesRepository, type AccountMatch } from './lines.repository.js';
import { deserialize } from 'node:v8';
import type { WriteContext } from '../../../store/database/unit-of-work.js';
import { Events } from '../../../store/events/events.js';
import { Clock } from '../../../kernel/time.js';
import type { RedactedLine } from '../../../../tools/personal-data/index.js';
import { isZero, negated, sumOf } from '../../../../tools/bank-files/index.js';
import { BankStatementDto } from '../statements.dto.js';
import { BankStatementUpdated } from '../statements.events.js';
import { StatementsRepository } from '../statements.repository.js';
import { StatementNamesRepository } from '../names/statement-names.repository.js';
import type { ReadFile, FileToRead, StatementFacts } from './read-and-redact.computation.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Threads } from '../../../store/threads/threads.js';
import { OrganizationService } from '../../organization/index.js';
import type { WrittenLayout } from '../../../../tools/bank-tables/index.js';
import { StatementLayoutsRepository } from '../layouts/statement-layouts.repository.js';
import { CounterpartyDecisionsRepository, RedactionKeysRepository } from './statement-content.repository.js';

/** Fewer equal days and amounts may be chance. */
const FEWEST_LINES = 5;
/** Some lines of the last day may be missing in the earlier file. */
const SHARE = 0.9;

@Injectable()
export class MatchedAccounts {
  constructor(private readonly lines: LinesRepository) {}

  /** By statement: the account that has the same days and amounts, if there is only one such. */
  async find(tenant: Tenant, statements: readonly BankStatement[]): Promise<ReadonlyMap<string, string>> {
    const unnamed = statements.filter(({ balances = [] }) => balances.every(({ account }) => account === null)).map(({ id }) => id);
    const found = new Map<string, string>();
    const named = statements.map(({ id }) => id).filter((id) => !unnamed.includes(id));
    if (unnamed.length === 0 || named.length === 0) return found;
    const matches = (await this.lines.accountMatches(tenant, unnamed, named)).filter(isConvincing);
    const keys = keysOf(statements);
    for (const id of unnamed) {
      const tokens = matches.filter(({ statementId }) => statementId === id).map(({ account }) => account);
      if (new Set(tokens.map((token) => keys.get(token) ?? token)).size === 1) found.set(id, tokens[0]!);
    }
    return found;
  }
}

/** Files write an account in several ways: the tokens with the same key are one account. */
function keysOf(statements: readonly BankStatement[]): ReadonlyMap<string, string> {
  const all = statements.flatMap(({ balances = [] }) => balances);
  return new Map(all.flatMap(({ account, key }) => (account !== null && key ? [[account, key] as const] : [])));
}

const isConvincing = ({ lines, matched }: AccountMatch): boolean => matched >= FEWEST_LINES && matched >= lines * SHARE;

interface Read extends Pick<ReadFile, 'facts' | 'names'> {
  /** Of redacted lines, serialized. */
  readonly batches: readonly Uint8Array[];
}

type Neighbour = Pick<BankStatement, 'id' | 'certainty' | 'periodEnd'> & { readonly balances: readonly AccountBalance[] };

/**
 * Stores the lines of statements. A file such as an OFX states the balance at its end alone: with that of an earlier file, it proves the
 * lines that lie between them.
 */
@Injectable()
export class StoredLines {
  constructor(
    private readonly statements: StatementsRepository,
    private readonly lines: LinesRepository,
    private readonly names: StatementNamesRepository,
    private readonly events: Events,
    private readonly clock: Clock,
  ) {}

  /** Returns what is known of the statement then. Later ones that it proves are told so. No line is stored as it was. */
  async store(ctx: WriteContext, id: string, { batches, facts, names }: Read): Promise<StatementFacts> {
    for (const batch of batches) await this.lines.insert(ctx, id, deserialize(batch) as RedactedLine[]);
    if (names.length > 0) await this.names.store(ctx, id, names);
    const { periodStart, periodEnd } = facts;
    const stated = (facts.balances ?? []).filter(({ key, closing }) => Boolean(key) && closing !== null);
    if (stated.length === 0 || periodStart === null || periodEnd === null) return facts;
    const keys = stated.map(({ key }) => key!);
    const neighbours = (await this.statements.neighbours(ctx, { id, keys, periodStart, periodEnd })) as Neighbour[];
    const own: Neighbour = { id, certainty: facts.certainty, periodEnd, balances: facts.balances ?? [] };
    for (const later of neighbours) if (await this.isProven(ctx, later, [own])) await this.tell(ctx, later.id);
    return (await this.isProven(ctx, own, neighbours)) ? { ...facts, certainty: 'proven' } : facts;
  }

  /** Whether each balance at the end is that of an earlier statement and the lines together. */
  private async isProven(
    ctx: WriteContext,
    { id, certainty, periodEnd, balances }: Neighbour,
    others: readonly Neighbour[],
  ): Promise<boolean> {
    const earlier = others.filter((other) => other.periodEnd! < periodEnd!).flatMap((other) => other.balances);
    if (certainty !== 'plausible' || earlier.length === 0) return false;
    const sums = await this.lines.sums(ctx, id);
    return balances.every(({ account, key, currency, closing }) => {
      const { sum = '0' } = sums.find((one) => one.account === account && one.currency === currency) ?? {};
      const isBefore = (other: AccountBalance): boolean => Boolean(key) && other.key === key && other.currency === currency;
      const rests = earlier.filter(isBefore).map((other) => closing && other.closing && sumOf([other.closing, sum, negated(closing)]));
      return rests.some((rest) => rest && isZero(rest));
    });
  }

  private async tell(ctx: WriteContext, id: string): Promise<void> {
    const before = await this.statements.lock(ctx, id);
    if (before?.certainty !== 'plausible') return;
    const after: BankStatement = { ...before, certainty: 'proven', updatedAt: this.clock.after(before.updatedAt) };
    await this.statements.change(ctx, after, ['certainty']);
    const shown = { before: BankStatementDto.from(before), after: BankStatementDto.from(after) };
    this.events.append(ctx, BankStatementUpdated, shown, 'bank_statement.proven');
  }
}

/** What redaction knows of a tenant: its key, and what its organization has decided. */
@Injectable()
export class TenantRedaction {
  constructor(
    private readonly keys: RedactionKeysRepository,
    private readonly organizations: OrganizationService,
    private readonly decisions: CounterpartyDecisionsRepository,
    private readonly layouts: StatementLayoutsRepository,
  ) {}

  async findLayouts(tenant: Tenant): Promise<WrittenLayout[]> {
    return (await this.layouts.all(tenant)).map(({ layout }) => layout);
  }

  async read(tenant: Tenant): Promise<Pick<FileToRead, 'key' | 'redactCounterparties' | 'decisions' | 'keepNames'>> {
    const { redactCounterparties, keepNames } = await this.organizations.byId(tenant.organizationId);
    const decisions = new Map((await this.decisions.list(tenant)).map(({ digest, decidedAs }) => [digest, decidedAs]));
    return { key: await this.keys.findOrMake(tenant), redactCounterparties, decisions, keepNames };
  }
}

const READ_AND_REDACT = new URL('./read-and-redact.computation.js', import.meta.url);
const ADVICE = 'Split the file into smaller ones.';
const MIB = 1024 * 1024;
/** A second thread takes half a second to start. */
const FOR_TWO_BYTES = MIB;

export interface StatementSource extends Pick<FileToRead, 'fileName' | 'isRedacted'> {
  readonly readingOptions: StoredReadingOptions;
  readonly sizeBytes: number;
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly signal?: AbortSignal;
  /** Nothing is to be stored: no line is kept in memory. */
  readonly isCheck?: boolean;
}

export interface ReadStatement extends ReadFile {
  /** Serialized: as objects, they would be in the way of the garbage collector. */
  readonly batches: readonly Uint8Array[];
}

@Injectable()
export class StatementContent {
  constructor(
    private readonly stored: StoredLines,
    private readonly keys: RedactionKeysRepository,
    private readonly redaction: TenantRedaction,
    private readonly threads: Threads,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  findKey(tenant: Tenant): Promise<Buffer> {
    return this.keys.findOrMake(tenant);
  }

  /** Reads and redacts a file in a thread. Not to be called in a transaction, which would be open for as long as that takes. */
  async read(tenant: Tenant, source: StatementSource): Promise<ReadStatement> {
    const { fileName, sizeBytes, isRedacted, readingOptions, bytes, signal, isCheck = false } = source;
    const { account = null, ...said } = readingOptions;
    const options = { ...said, today: this.clock.timestamp().slice(0, 10), layouts: await this.redaction.findLayouts(tenant) };
    const input = { fileName, options, account, isRedacted, ...(await this.redaction.read(tenant)) };
    const work = {
      organizationId: tenant.organizationId,
      input,
      items: bytes,
      signal,
      isForTwo: sizeBytes >= FOR_TWO_BYTES,
      timeoutMs: this.timeoutMs(sizeBytes),
      advice: ADVICE,
    };
    const outputs = this.threads.compute<typeof readAndRedact>(READ_AND_REDACT, work);
    const batches: Uint8Array[] = [];
    for (;;) {
      const { done, value } = await outputs.next();
      if (done) return { ...value, batches };
      if (!isCheck) batches.push(value.lines);
    }
  }

  /** Stores the redacted lines of a statement, and returns what is known of it then. */
  storeLines(ctx: WriteContext, id: string, read: ReadStatement): Promise<StatementFacts> {
    return this.stored.store(ctx, id, read);
  }

  /** Seconds for a small file, however it was made: everybody with a link may send one. */
  private timeoutMs(sizeBytes: number): number {
    return (this.settings.statementTimeoutMs * (1 + Math.max(1, Math.ceil(sizeBytes / MIB)))) / 2;
  }
}
