import { Param } from '@nestjs/common';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { goTo, page, type Answer } from '../../../api/console/page.js';
import { PageCtx, pathOf, type PageContext } from '../../../api/console/page-context.js';
import { chosenIn, pageNumberIn, PAGE_SIZE } from '../../../api/console/parts/list.js';
import { ProjectsService } from '../../projects/index.js';
import { REDACTION_STATUSES } from '../statement.entity.js';
import { StatementOperatorService } from '../statement-operator.service.js';
import { StatementsService } from '../statements.service.js';
import { StatementView } from './statement.views.js';
import { StatementList } from './statements.views.js';

const SECTION = 'statements';

@ConsoleSection({ path: SECTION, label: 'Statements', group: 'Claims', order: 2, operation: 'bank_statements.list' })
export class StatementsConsole {
  constructor(
    private readonly statements: StatementsService,
    private readonly operator: StatementOperatorService,
    private readonly projects: ProjectsService,
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
}
