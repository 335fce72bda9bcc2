import { Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { ConsoleDoor } from '../../../api/console/console-door.js';
import { type PageContext, PageRefusal } from '../../../api/console/page.js';
import type { Choice } from '../../../api/console/parts/fields.js';
import { chosenAmong, chosenIn } from '../../../api/console/parts/list.js';
import { say } from '../../../api/console/say.js';
import { seenOf } from '../../../api/console/shown.js';
import { changeContext } from '../../../kernel/context.js';
import { Problem } from '../../../kernel/problems.js';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { type ReadContext, UnitOfWork } from '../../../store/database/unit-of-work.js';
import { ConfigurationsService } from '../../configurations/index.js';
import { ProjectsService } from '../../projects/index.js';
import { OUTPUT_FORMATS } from '../../rules/index.js';
import { BankStatementDto, StatementsService, type KeyList, StatementNamesService } from '../../statements/index.js';
import { compareResults, type ResultComparison } from '../compare-results.js';
import { ReportFilesService } from '../files/report-files.service.js';
import { csvOf } from '../outputs/tables.js';
import { FILE_KINDS, fileNameOf } from '../outputs/report-output.js';
import { type ClaimReport, REPORT_STATUSES } from '../report.entity.js';
import { ReportsService } from '../reports.service.js';

/** Pages show so many statements of a run. */
export const MAX_STATEMENTS = 500;

/** What the records that runs belong to are called, by id. */
export interface NamesOfRuns {
  readonly projects: ReadonlyMap<string, string>;
  readonly configurations: ReadonlyMap<string, string>;
}

export interface ChoicesOfRuns {
  readonly projects: readonly Choice[];
  readonly configurations: readonly Choice[];
}

@Injectable()
export class RunNames {
  constructor(
    private readonly projects: ProjectsService,
    private readonly configurations: ConfigurationsService,
    private readonly statements: StatementsService,
  ) {}

  async read(ctx: ReadContext, runs: readonly ClaimReport[]): Promise<NamesOfRuns> {
    const projectIds = runs.map(({ projectId }) => projectId);
    const configurationIds = runs.map(({ reportConfigurationId }) => reportConfigurationId);
    const names = await Promise.all([this.projects.names(ctx, projectIds), this.configurations.names(ctx, configurationIds)]);
    return { projects: names[0], configurations: names[1] };
  }

  async readFiles(ctx: PageContext, { result }: ClaimReport): Promise<ReadonlyMap<string, string>> {
    const ids = (result?.statements ?? []).slice(0, MAX_STATEMENTS).map(({ id }) => id);
    const statements = await this.statements.ofIds(ctx, ids);
    return new Map(statements.map((one) => [one.id, seenOf(ctx, BankStatementDto, one).fileName]));
  }

  async choices(ctx: ReadContext): Promise<ChoicesOfRuns> {
    const [projects, configurations] = await Promise.all([this.projects.choices(ctx), this.configurations.choices(ctx)]);
    return { projects, configurations };
  }
}

/** The run before one is looked for among the newest of the same project and configuration. */
const RUNS_SEARCHED = 100;

@Injectable()
export class RunHistory {
  constructor(
    private readonly reports: ReportsService,
    private readonly files: ReportFilesService,
    private readonly door: ConsoleDoor,
  ) {}

  async cancel(ctx: PageContext, id: string): Promise<void> {
    await this.door.call(ctx, { params: { report_id: id } });
  }

  /** The last run with a result, of the same project and configuration, before this one. It may lack its result. */
  private async before(ctx: PageContext, { id, projectId, reportConfigurationId }: ClaimReport): Promise<ClaimReport | undefined> {
    const { rows } = await this.reports.list(ctx, {
      page: 1,
      page_size: RUNS_SEARCHED,
      status: 'succeeded',
      ...(projectId !== null && { project_id: projectId }),
      ...(reportConfigurationId !== null && { report_configuration_id: reportConfigurationId }),
    });
    // Ids are in the order of time.
    return rows.find((run) => run.id < id && run.projectId === projectId && run.reportConfigurationId === reportConfigurationId);
  }

  async compareWithBefore(ctx: PageContext, run: ClaimReport): Promise<{ before: ClaimReport; comparison: ResultComparison } | undefined> {
    const found = run.result && (await this.before(ctx, run));
    if (!found || !run.result) return undefined;
    const before = await this.reports.get(ctx, found.id);
    return before.result ? { before, comparison: compareResults(before.result, run.result) } : undefined;
  }

  async file(ctx: PageContext, run: ClaimReport, wanted: string): Promise<{ name: string; mediaType: string; content: Readable }> {
    const format = OUTPUT_FORMATS.find((one) => one === wanted);
    if (!format) throw new Problem('not_found', { detail: 'There is no file of this format.' });
    const { content } = await this.files.open(ctx, run, format);
    return { name: fileNameOf(format, run.id), mediaType: FILE_KINDS[format].mediaType, content };
  }
}

export const filtersIn = (ctx: PageContext, { projects, configurations }: ChoicesOfRuns) => ({
  project_id: chosenAmong(ctx, 'project', projects),
  report_configuration_id: chosenAmong(ctx, 'configuration', configurations),
  status: chosenIn(ctx, 'status', REPORT_STATUSES),
});

/** All of them are searched for people when the page is opened: that takes a few seconds. */
const MAX_LINES = 500_000;

/** The names behind the tokens of one report: for tax offices, which ask for payees. */
@Injectable()
export class KeyLists {
  constructor(
    private readonly names: StatementNamesService,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
  ) {}

  areKept(ctx: PageContext): Promise<boolean> {
    return this.names.areKept(ctx);
  }

  find(ctx: PageContext, { result }: ClaimReport): Promise<KeyList> {
    const { start = null, end = null } = result?.period ?? {};
    const lines = (result?.statements ?? []).reduce((sum, { linesRead }) => sum + linesRead, 0);
    if (lines > MAX_LINES)
      throw new PageRefusal(say('console.reports.keys.tooLong'), say('console.reports.keys.most', { count: MAX_LINES }));
    return this.names.makeKeyList(ctx, { statementIds: result?.statements.map(({ id }) => id) ?? [], start, end });
  }

  /** As CSV. The audit log has that it was saved before anybody has it. */
  async save(ctx: PageContext, run: ClaimReport): Promise<string> {
    const { entries } = await this.find(ctx, run);
    const named = entries.filter(({ name }) => name !== null).length;
    const context = { ...changeContext(ctx.organizationId, ctx.actor), environment: ctx.environment };
    await this.unitOfWork.run(context, (unit) => {
      this.audit.record(unit, { action: 'claim_report.names_saved', resourceId: run.id, changes: { names: { from: null, to: named } } });
      return Promise.resolve();
    });
    return csvOf({
      columns: [
        { name: 'token', is: 'text' },
        { name: 'name', is: 'text' },
        { name: 'lines', is: 'number' },
      ],
      rows: entries.map(({ token, name, lines }) => [token, name, String(lines)]),
    });
  }
}
