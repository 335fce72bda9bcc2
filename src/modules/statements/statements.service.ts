import { Injectable } from '@nestjs/common';
import type { ReadContext, WriteContext } from '../../store/database/unit-of-work.js';
import type { Tenant } from '../../kernel/context.js';
import { changedProperties, given, pick } from '../../kernel/changes.js';
import { Problem } from '../../kernel/problems.js';
import type { Counted, PageOf, PageRequest } from '../../store/tenant/page.js';
import { MatchedAccounts } from './content/statement-content.js';
import { LinesRepository, type LineCurrency, type LineMonth } from './content/lines.repository.js';
import type { RedactedLine } from '../../../tools/personal-data/index.js';
import { RedactionKeysRepository } from './content/statement-content.repository.js';
import type { AccountBalance, BankStatement } from './statement.entity.js';
import { BANK_STATEMENT_FIELDS, type ListBankStatementsQuery, BankStatementDto, type UpdateBankStatementDto } from './statements.dto.js';
import type { Period } from '../../../tools/bank-files/index.js';
import { StatementsRepository, type StatementsElsewhere, type UnreadStatements } from './statements.repository.js';
import type { AuditAction } from '../../kernel/audit-actions.js';
import { Clock } from '../../kernel/time.js';
import { Events } from '../../store/events/events.js';
import { WakeUps } from '../../store/jobs/wake-ups.js';
import { ProjectsService } from '../projects/index.js';
import { REDACT } from './redaction/redaction.processor.js';
import { BankStatementUpdated } from './statements.events.js';

/** A redacted statement: its lines may be read. */
export type ReadableStatement = BankStatement & { readonly balances: readonly AccountBalance[] };

export interface NewestStatements {
  readonly statements: readonly ReadableStatement[];
  readonly linesInAll: number;
}

@Injectable()
export class StatementsService {
  constructor(
    private readonly statements: StatementsRepository,
    private readonly redactedLines: LinesRepository,
    private readonly keys: RedactionKeysRepository,
    private readonly matched: MatchedAccounts,
  ) {}

  list(ctx: ReadContext, query: ListBankStatementsQuery): Promise<PageOf<BankStatement>> {
    const { project_id: projectId, redaction_status: redactionStatus, certainty, search } = query;
    const filters = { projectId, redactionStatus, certainty, search, ...BANK_STATEMENT_FIELDS.filters(query) };
    return this.statements.page(ctx, query, filters);
  }

  countsByStatus(ctx: ReadContext, projectId?: string): Promise<Counted | undefined> {
    return this.statements.countsBy(ctx, 'redactionStatus', projectId);
  }

  async get(ctx: ReadContext, id: string): Promise<BankStatement> {
    return (await this.statements.get(ctx, id)) ?? missing();
  }

  /** The first redacted statements of a project or of all, with days in the period or of any time, in the order of their import. */
  readable(ctx: ReadContext, projectId: string | null, period: Period | null, limit: number): Promise<ReadableStatement[]> {
    return this.statements.readable(ctx, projectId, period, limit) as Promise<ReadableStatement[]>;
  }

  /** The redacted statements that were imported last and whose lines are kept, the newest first, and how many lines all of them have. */
  async newest(ctx: ReadContext, projectId: string | null, period: Period | null, limit: number): Promise<NewestStatements> {
    const rows = await this.statements.newest(ctx, projectId, period, limit);
    return { statements: rows as unknown as ReadableStatement[], linesInAll: rows[0]?.linesInAll ?? 0 };
  }

  /** The statements with these ids, in the order of their import. */
  ofIds(tenant: Tenant, ids: readonly string[]): Promise<ReadableStatement[]> {
    return this.statements.ofIds(tenant, ids) as Promise<ReadableStatement[]>;
  }

  /** The newest statements of a project or of all that no run reads yet: they wait to be redacted, or that has failed. */
  unredacted(tenant: Tenant, projectId: string | null, limit: number): Promise<BankStatement[]> {
    return this.statements.unredacted(tenant, projectId, limit);
  }

  /** How many lines statements have, by account and month. */
  lineMonths(tenant: Tenant, ids: readonly string[]): Promise<LineMonth[]> {
    return this.redactedLines.months(tenant, ids);
  }

  /** How many redacted statements with days in the period are not of the project. */
  countOthers(tenant: Tenant, projectId: string, period: Period | null): Promise<StatementsElsewhere> {
    return this.statements.countOthers(tenant, projectId, period);
  }

  /** The projects that most of them are of. */
  projectsWithMost(tenant: Tenant, projectId: string, period: Period | null, limit: number): Promise<readonly string[]> {
    return this.statements.projectsWithMost(tenant, projectId, period, limit);
  }

  /** Which statements a report does not read because of their days or their status. */
  countUnread(tenant: Tenant, projectId: string | null, period: Period | null): Promise<UnreadStatements> {
    return this.statements.countUnread(tenant, projectId, period);
  }

  /** Those of the statements whose retention has ended: their lines are being removed, or are gone. */
  findExpired(tenant: Tenant, ids: readonly string[]): Promise<BankStatement[]> {
    return this.statements.findExpired(tenant, ids);
  }

  /** By statement: the account of those that name none, as far as their lines tell it. */
  matchedAccounts(tenant: Tenant, statements: readonly BankStatement[]): Promise<ReadonlyMap<string, string>> {
    return this.matched.find(tenant, statements);
  }

  /** The redacted lines of a statement, in batches. */
  lines(tenant: Tenant, statementId: string): AsyncIterable<readonly RedactedLine[]> {
    return this.redactedLines.of(tenant, statementId);
  }

  /** The redacted lines of one page. None while the statement is not redacted, or once its retention has ended. */
  async linesOnPage(tenant: Tenant, { id, redactionStatus, lineCount }: BankStatement, page: PageRequest): Promise<RedactedLine[]> {
    const after = (page.page - 1) * page.page_size;
    if (!['succeeded', 'skipped'].includes(redactionStatus) || after >= (lineCount ?? 0)) return [];
    if ((await this.statements.findExpired(tenant, [id])).length > 0) return [];
    return this.redactedLines.between(tenant, id, after, after + page.page_size);
  }

  /** The statements of these very files, the oldest first. */
  ofFiles(tenant: Tenant, sha256s: readonly string[]): Promise<BankStatement[]> {
    return this.statements.withHashes(tenant, sha256s);
  }

  /** The currencies of the lines of statements in a period, and their first and last days. */
  currencies(tenant: Tenant, ids: readonly string[], period: Period | null): Promise<LineCurrency[]> {
    return this.redactedLines.currencies(tenant, ids, period);
  }

  /** The key of the tokens that replace names and accounts in the tenant's redacted lines. */
  tokenKey(tenant: Tenant): Promise<Buffer> {
    return this.keys.findOrMake(tenant);
  }
}

export function missing(): never {
  throw new Problem('not_found', { detail: 'There is no bank statement with this id.' });
}

/** What people and programs change of a statement that is there, in the caller's transaction. */
@Injectable()
export class StatementChanges {
  constructor(
    private readonly statements: StatementsRepository,
    private readonly projects: ProjectsService,
    private readonly events: Events,
    private readonly wakeUps: WakeUps,
    private readonly clock: Clock,
  ) {}

  async retry(ctx: WriteContext, id: string): Promise<BankStatement> {
    const before = (await this.statements.lock(ctx, id)) ?? missing();
    const { redactionStatus: status } = before;
    if (status === 'pending' || status === 'queued' || status === 'running') return before;
    if (status !== 'failed')
      throw new Problem('wrong_state', { detail: `Only a statement whose redaction has failed can be retried; this one is ${status}.` });
    if ((await this.statements.findExpired(ctx, [id])).length > 0)
      throw new Problem('wrong_state', {
        detail: 'The file of this statement was removed because its retention ended. Import it again.',
      });
    ctx.unit.afterCommit.push(() => this.wakeUps.wake(REDACT));
    return this.changed(ctx, before, { redactionStatus: 'queued', failure: null, lostWorkers: 0 }, 'bank_statement.retried');
  }

  /** A move to another project, or other fields of extensions. Reports that have read it stay as they are. */
  async update(ctx: WriteContext, id: string, input: UpdateBankStatementDto): Promise<BankStatement> {
    const before = (await this.statements.lock(ctx, id)) ?? missing();
    const after = { ...before, ...given({ projectId: input.projectId }), ...BANK_STATEMENT_FIELDS.stored(input, before) };
    const changed = changedProperties(before, after);
    if (changed.length === 0) return before;
    if (changed.includes('projectId')) await this.requireOpen(ctx, before, after.projectId);
    return this.changed(ctx, before, pick(after, changed));
  }

  /** One that was not read yet has no days: no claim has used it. */
  private async requireOpen(ctx: WriteContext, { projectId, periodStart: start, periodEnd: end }: BankStatement, to: string | null) {
    if (start === null || end === null) return;
    // In one order, so that two calls do not wait for each other.
    for (const id of [projectId, to].filter((one) => one !== null).sort()) await this.projects.requireOpen(ctx, id, { start, end });
  }

  private async changed(
    ctx: WriteContext,
    before: BankStatement,
    change: Partial<BankStatement>,
    action?: AuditAction,
  ): Promise<BankStatement> {
    const after: BankStatement = { ...before, ...change, updatedAt: this.clock.after(before.updatedAt) };
    const write = () => this.statements.change(ctx, after, Object.keys(change) as (keyof BankStatement)[]);
    await this.projects.writeRelated(ctx, change.projectId, write);
    const shown = { before: BankStatementDto.from(before), after: BankStatementDto.from(after) };
    this.events.append(ctx, BankStatementUpdated, shown, action);
    return after;
  }
}
