import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../kernel/context.js';
import { Problem } from '../../../kernel/problems.js';
import { requireOrderedPeriod } from '../../../kernel/time.js';
import type { WriteContext } from '../../../store/database/unit-of-work.js';
import { ProjectsService } from '../../projects/index.js';
import { feedFile } from '../formats/feed/read-feed.js';
import type { Period } from '../formats/statement-line.js';
import type { BankStatement } from '../statement.entity.js';
import type { CreateBankStatementDto } from '../statements.dto.js';
import { ImportService, type NewStatement } from './import.service.js';

/** What is left of an import for its transaction. */
type Prepared = Awaited<ReturnType<ImportService['prepare']>>;

/** Takes in the statements of programs: before the transaction of their call, and in it. */
@Injectable()
export class StatementIntake {
  constructor(
    private readonly imports: ImportService,
    private readonly projects: ProjectsService,
  ) {}

  /** What is wrong with the statement is said in the transaction: the key of the call may have an answer already. */
  async prepare(tenant: Tenant, input: CreateBankStatementDto): Promise<Prepared> {
    try {
      return await this.imports.prepare(statementOf(tenant, input));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return () => Promise.reject(error);
    }
  }

  async record(ctx: WriteContext, { projectId = null }: CreateBankStatementDto, prepared: Prepared): Promise<BankStatement> {
    let statement: BankStatement | undefined;
    await this.projects.writeRelated(ctx, projectId, async () => {
      statement = await prepared(ctx, projectId);
    });
    return statement!;
  }
}

function statementOf({ organizationId, environment }: Tenant, input: CreateBankStatementDto): NewStatement {
  const { fileName = 'bank_feed', projectId = null, lines, ...account } = input;
  requirePeriod(input);
  return { organizationId, environment, projectId, fileName, file: feedFile(account, lines), isRedacted: false, isOnce: true };
}

/** Both days, or none. */
function requirePeriod({ periodStart, periodEnd }: Pick<CreateBankStatementDto, 'periodStart' | 'periodEnd'>): Period | undefined {
  if (!periodStart && !periodEnd) return undefined;
  if (!periodStart || !periodEnd) throw Problem.invalidField(periodStart ? 'periodEnd' : 'periodStart', 'required', 'must be given, too');
  requireOrderedPeriod({ periodStart, periodEnd });
  return { start: periodStart, end: periodEnd };
}
