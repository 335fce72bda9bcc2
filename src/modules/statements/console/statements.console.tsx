import { Param } from '@nestjs/common';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf, type FormState } from '../../../api/console/form.js';
import { goTo, page, type Answer } from '../../../api/console/page.js';
import { PageCtx, pathOf, type PageContext } from '../../../api/console/page-context.js';
import { chosenIn, pageNumberIn, PAGE_SIZE } from '../../../api/console/parts/list.js';
import { orAgain } from '../../../api/console/performer.js';
import { Problem } from '../../../kernel/problems.js';
import { ProjectsService } from '../../projects/index.js';
import { REDACTION_STATUSES } from '../statement.entity.js';
import { StatementOperatorService } from '../statement-operator.service.js';
import { StatementsService } from '../statements.service.js';
import { StatementUpload, UPLOAD_BOUNDS, type Uploaded } from './statement-upload.js';
import { StatementView } from './statement.views.js';
import { StatementList, UploadForm } from './statements.views.js';

const SECTION = 'statements';

@ConsoleSection({ path: SECTION, label: 'Statements', group: 'Claims', order: 2, operation: 'bank_statements.list' })
export class StatementsConsole {
  constructor(
    private readonly statements: StatementsService,
    private readonly operator: StatementOperatorService,
    private readonly projects: ProjectsService,
    private readonly uploads: StatementUpload,
  ) {}

  @Page({ route: 'GET /', operation: 'bank_statements.list' })
  async list(@PageCtx() ctx: PageContext): Promise<Answer> {
    const projects = await this.projects.choices(ctx);
    const found = await this.statements.list(ctx, {
      page: pageNumberIn(ctx),
      page_size: PAGE_SIZE,
      search: ctx.query.get('search')?.slice(0, 200) || undefined,
      project_id: chosenIn(
        ctx,
        'project',
        projects.map(([id]) => id),
      ),
      redaction_status: chosenIn(ctx, 'status', REDACTION_STATUSES),
    });
    const names = await this.projects.names(
      ctx,
      found.rows.map(({ projectId }) => projectId),
    );
    return page('Bank statements', <StatementList ctx={ctx} found={found} projects={projects} names={names} />);
  }

  @Page({ route: 'GET /new', role: 'member' })
  new(@PageCtx() ctx: PageContext): Promise<Answer> {
    return this.form(ctx, formOf());
  }

  @Action({ route: 'POST /new', role: 'member', records: ['bank_statement.imported'], takesFiles: UPLOAD_BOUNDS })
  upload(@PageCtx() ctx: PageContext): Promise<Answer> {
    const upload = async (): Promise<Answer> => {
      const uploaded = await this.uploads.upload(ctx);
      const { imported, known, refused } = uploaded;
      if (refused.length > 0) return this.form(ctx, ctx.form.refusedWith(refusalOf(uploaded)));
      const [only, ...others] = [...imported, ...known];
      return goTo(others.length === 0 ? pathOf(ctx, SECTION, only!.id) : pathOf(ctx, SECTION), said(uploaded));
    };
    return orAgain(ctx, upload, (state) => this.form(ctx, state));
  }

  @Page({ route: 'GET /:statement_id', operation: 'bank_statements.get' })
  async show(@PageCtx() ctx: PageContext, @Param('statement_id') id: string): Promise<Answer> {
    const statement = await this.statements.get(ctx, id);
    const [names, lines] = await Promise.all([
      this.projects.names(ctx, [statement.projectId]),
      this.statements.linesOnPage(ctx, statement, { page: pageNumberIn(ctx), page_size: PAGE_SIZE }),
    ]);
    return page(statement.fileName || 'Bank statement', <StatementView ctx={ctx} statement={statement} names={names} lines={lines} />);
  }

  @Action({ route: 'POST /:statement_id/retry', role: 'member', records: ['bank_statement.retried'] })
  async retry(@PageCtx() ctx: PageContext, @Param('statement_id') id: string): Promise<Answer> {
    // The operator's service finds a statement of any organization.
    await this.statements.get(ctx, id);
    await this.operator.retry(ctx.actor, id);
    return goTo(pathOf(ctx, SECTION, id), 'The statement is redacted again.');
  }

  private async form(ctx: PageContext, state: FormState): Promise<Answer> {
    const projects = await this.projects.choices(ctx);
    return page('Upload statements', <UploadForm ctx={ctx} state={state} projects={projects} />, state.problem?.status);
  }
}

function refusalOf(uploaded: Uploaded): Problem {
  const { refused } = uploaded;
  const count = refused.length === 1 ? 'One file was not imported.' : `${refused.length} files were not imported.`;
  return new Problem('validation_failed', { detail: `${count} ${said(uploaded)}`.trim(), errors: refused });
}

/** What became of the files that were not refused. */
function said({ imported, known }: Uploaded): string {
  const [made, names] = [imported.length, known.map(({ fileName }) => fileName).join(', ')];
  return [
    made === 0 ? '' : made === 1 ? 'One statement was imported.' : `${made} statements were imported.`,
    known.length === 0 ? '' : `Imported already, and not imported again: ${names}.`,
  ]
    .filter(Boolean)
    .join(' ');
}
