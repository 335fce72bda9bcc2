import { Param } from '@nestjs/common';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf, type FormState } from '../../../api/console/form.js';
import { goTo, page, type Answer } from '../../../api/console/page.js';
import { PageCtx, pathOf, type PageContext } from '../../../api/console/page-context.js';
import { customFieldsIn } from '../../../api/console/parts/custom-fields.js';
import { chosenIn, pageNumberIn, PAGE_SIZE } from '../../../api/console/parts/list.js';
import { orAgain, ConsoleDoor } from '../../../api/console/console-door.js';
import { PROJECT_STATUSES } from '../project.entity.js';
import { ClaimProjectDto, PROJECT_FIELDS } from '../projects.dto.js';
import { ProjectsService } from '../projects.service.js';
import { ProjectForm, ProjectList, ProjectView, valuesOf } from './projects.views.js';

const SECTION = 'projects';

@ConsoleSection({ path: SECTION, label: 'Projects', group: 'Claims', order: 1, operation: 'claim_projects.list' })
export class ProjectsConsole {
  constructor(
    private readonly projects: ProjectsService,
    private readonly door: ConsoleDoor,
  ) {}

  @Page({ route: 'GET /', operation: 'claim_projects.list' })
  async list(@PageCtx() ctx: PageContext): Promise<Answer> {
    const search = ctx.query.get('search')?.slice(0, 200) || undefined;
    const status = chosenIn(ctx, 'status', PROJECT_STATUSES);
    const found = await this.projects.list(ctx, { page: pageNumberIn(ctx), page_size: PAGE_SIZE, search, status });
    return page('Claim projects', <ProjectList ctx={ctx} found={found} />);
  }

  @Page({ route: 'GET /new', operation: 'claim_projects.create' })
  new(@PageCtx() ctx: PageContext): Answer {
    return newPage(ctx, formOf({ status: 'active' }));
  }

  @Action({ route: 'POST /new', operation: 'claim_projects.create' })
  create(@PageCtx() ctx: PageContext): Promise<Answer> {
    const create = async (): Promise<Answer> => {
      const { id } = await this.door.call<ClaimProjectDto>(ctx, { body: fieldsOf(ctx) });
      return goTo(pathOf(ctx, SECTION, id), 'The project was created.');
    };
    return orAgain(ctx, create, (state) => newPage(ctx, state));
  }

  @Page({ route: 'GET /:project_id', operation: 'claim_projects.get' })
  async show(@PageCtx() ctx: PageContext, @Param('project_id') id: string): Promise<Answer> {
    const project = await this.projects.get(ctx, id);
    return page(project.name, <ProjectView ctx={ctx} project={project} />);
  }

  @Page({ route: 'GET /:project_id/edit', operation: 'claim_projects.update' })
  async edit(@PageCtx() ctx: PageContext, @Param('project_id') id: string): Promise<Answer> {
    return editPage(ctx, formOf(valuesOf(await this.projects.get(ctx, id))));
  }

  @Action({ route: 'POST /:project_id/edit', operation: 'claim_projects.update' })
  update(@PageCtx() ctx: PageContext, @Param('project_id') id: string): Promise<Answer> {
    const update = async (): Promise<Answer> => {
      const given = { params: { project_id: id }, body: fieldsOf(ctx) };
      await this.door.call<ClaimProjectDto>(ctx, given);
      return goTo(pathOf(ctx, SECTION, id), 'The project was changed.');
    };
    return orAgain(ctx, update, (state) => editPage(ctx, state));
  }
}

const newPage = (ctx: PageContext, state: FormState): Answer =>
  page('New project', <ProjectForm ctx={ctx} state={state} submit="Create the project" cancel={pathOf(ctx, SECTION)} />, statusOf(state));

const editPage = (ctx: PageContext, state: FormState): Answer =>
  page('Edit project', <ProjectForm ctx={ctx} state={state} submit="Save" cancel={ctx.path.replace(/\/edit$/, '')} />, statusOf(state));

const statusOf = ({ problem }: FormState): number => problem?.status ?? 200;

function fieldsOf({ form }: PageContext) {
  return {
    name: form.text('name'),
    clientReference: form.given('clientReference') ?? null,
    periodStart: form.text('periodStart'),
    periodEnd: form.text('periodEnd'),
    status: form.text('status'),
    ...customFieldsIn(PROJECT_FIELDS, form),
  };
}
