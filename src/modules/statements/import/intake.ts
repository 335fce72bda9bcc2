import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../kernel/context.js';
import { changesBetween } from '../../../kernel/changes.js';
import { Problem } from '../../../kernel/problems.js';
import { requireOrderedPeriod } from '../../../kernel/time.js';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import type { WriteContext } from '../../../store/database/unit-of-work.js';
import { ProjectsService } from '../../projects/index.js';
import type { Extended } from '../../../api/validation/custom-fields.js';
import { feedFile } from '../formats/feed/read-feed.js';
import type { Period } from '../../../../tools/bank-files/index.js';
import type { BankStatement } from '../statement.entity.js';
import { BankStatementFileDto, type CreateBankStatementDto } from '../statements.dto.js';
import { isArchiveOfFiles } from './archive.js';
import { type CheckedFile, ImportService, type NewStatement } from './import.service.js';

export type SaidStatement = CreateBankStatementDto | BankStatementFileDto;

type Prepared = Awaited<ReturnType<ImportService['prepare']>>;

/** Takes in the statements of programs: before the transaction of their call, and in it. */
@Injectable()
export class StatementIntake {
  constructor(
    private readonly imports: ImportService,
    private readonly projects: ProjectsService,
    private readonly audit: AuditRecorder,
  ) {}

  /** What is wrong with the statement is said in the transaction: the key of the call may have an answer already. */
  async prepare(tenant: Tenant, input: SaidStatement): Promise<Prepared> {
    try {
      return await this.imports.prepare(statementOf(tenant, input));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return () => Promise.reject(error);
    }
  }

  async check(tenant: Tenant, input: SaidStatement): Promise<() => Promise<CheckedFile>> {
    try {
      const checked = await this.imports.check(statementOf(tenant, input));
      return () => Promise.resolve(checked);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return () => Promise.reject(error);
    }
  }

  /** The audit log says who had which file checked. */
  async checked(ctx: WriteContext, { projectId }: SaidStatement, check: () => Promise<CheckedFile>): Promise<CheckedFile> {
    const checked = await check();
    await this.projects.writeRelated(ctx, projectId, () => Promise.resolve());
    const { id, fileName, sizeBytes, sha256 } = checked;
    this.audit.record(ctx, {
      action: 'bank_statement.checked',
      resourceId: id,
      changes: changesBetween(null, { fileName, sizeBytes, sha256 }),
    });
    return checked;
  }

  async record(ctx: WriteContext, { projectId = null }: SaidStatement, prepared: Prepared): Promise<BankStatement> {
    let statement: BankStatement | undefined;
    await this.projects.writeRelated(ctx, projectId, async () => {
      statement = await prepared(ctx, projectId);
    });
    return statement!;
  }
}

function statementOf(tenant: Tenant, input: SaidStatement): NewStatement {
  const { organizationId, environment } = tenant;
  const { projectId = null } = input;
  const { customFields } = input as Extended;
  const period = periodIn(input);
  const shared = { organizationId, environment, projectId, isRedacted: false, isOnce: true, ...(customFields && { customFields }) };
  if (!(input instanceof BankStatementFileDto)) {
    const { fileName = 'bank_feed', projectId: _, customFields: _custom, lines, ...account } = input as CreateBankStatementDto & Extended;
    return { ...shared, fileName, file: feedFile(account, lines) };
  }
  const { file, fileName = file.name, account, layout, currency, isInverted } = input;
  if (isArchiveOfFiles(file.content))
    throw Problem.invalidField('file', 'not_allowed', 'must be one statement: send the files of an archive one by one');
  return {
    ...shared,
    fileName,
    file: file.content,
    sha256: file.sha256,
    ...(account && { account }),
    ...(layout && { layout: { name: layout } }),
    readingOptions: { ...(currency && { currency }), ...(period && { period }), ...(isInverted && { isInverted }) },
  };
}

function periodIn({ periodStart, periodEnd }: SaidStatement): Period | undefined {
  if (!periodStart && !periodEnd) return undefined;
  if (!periodStart || !periodEnd) throw Problem.invalidField(periodStart ? 'periodEnd' : 'periodStart', 'required', 'must be given, too');
  requireOrderedPeriod({ periodStart, periodEnd });
  return { start: periodStart, end: periodEnd };
}
