import { Param } from '@nestjs/common';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf, type FormState } from '../../../api/console/form.js';
import { jsonOf } from '../../../api/console/json-field.js';
import { goTo, page, type Answer } from '../../../api/console/page.js';
import { PageCtx, pathOf, type PageContext } from '../../../api/console/page-context.js';
import { chosenIn, pageNumberIn, PAGE_SIZE } from '../../../api/console/parts/list.js';
import { orAgain, Performer } from '../../../api/console/performer.js';
import { ProjectsService } from '../../projects/index.js';
import { CONFIGURATION_STATUSES } from '../configuration.entity.js';
import { ReportConfigurationDto, type CreateReportConfigurationDto, type UpdateReportConfigurationDto } from '../configurations.dto.js';
import { ConfigurationsService } from '../configurations.service.js';
import { ConfigurationForm, ConfigurationList, ConfigurationView, valuesOf } from './configurations.views.js';

const SECTION = 'configurations';

@ConsoleSection({ path: SECTION, label: 'Configurations', group: 'Claims', order: 4, operation: 'report_configurations.list' })
export class ConfigurationsConsole {
  constructor(
    private readonly configurations: ConfigurationsService,
    private readonly projects: ProjectsService,
    private readonly performer: Performer,
  ) {}

  @Page({ route: 'GET /', operation: 'report_configurations.list' })
  async list(@PageCtx() ctx: PageContext): Promise<Answer> {
    const search = ctx.query.get('search')?.slice(0, 200) || undefined;
    const status = chosenIn(ctx, 'status', CONFIGURATION_STATUSES);
    const found = await this.configurations.list(ctx, { page: pageNumberIn(ctx), page_size: PAGE_SIZE, search, status });
    const names = await this.projects.names(
      ctx,
      found.rows.map(({ projectId }) => projectId),
    );
    return page('Report configurations', <ConfigurationList ctx={ctx} found={found} projects={names} />);
  }

  @Page({ route: 'GET /new', operation: 'report_configurations.create' })
  new(@PageCtx() ctx: PageContext): Promise<Answer> {
    return this.form(ctx, formOf({ status: 'ready' }));
  }

  @Action({ route: 'POST /new', operation: 'report_configurations.create' })
  create(@PageCtx() ctx: PageContext): Promise<Answer> {
    const create = async (): Promise<Answer> => {
      const given = { body: fieldsOf(ctx) };
      const { id } = await this.performer.perform<CreateReportConfigurationDto, ReportConfigurationDto>(ctx, given, async (inner, body) =>
        ReportConfigurationDto.from(await this.configurations.create(inner, body)),
      );
      return goTo(pathOf(ctx, SECTION, id), 'The configuration was created.');
    };
    return orAgain(ctx, create, (state) => this.form(ctx, state));
  }

  @Page({ route: 'GET /:configuration_id', operation: 'report_configurations.get' })
  async show(@PageCtx() ctx: PageContext, @Param('configuration_id') id: string): Promise<Answer> {
    const row = await this.configurations.get(ctx, id);
    const names = await this.projects.names(ctx, [row.projectId]);
    return page(row.name, <ConfigurationView ctx={ctx} row={row} projects={names} />);
  }

  @Page({ route: 'GET /:configuration_id/edit', operation: 'report_configurations.update' })
  async edit(@PageCtx() ctx: PageContext, @Param('configuration_id') id: string): Promise<Answer> {
    return this.form(ctx, formOf(valuesOf(await this.configurations.get(ctx, id))), id);
  }

  @Action({ route: 'POST /:configuration_id/edit', operation: 'report_configurations.update' })
  update(@PageCtx() ctx: PageContext, @Param('configuration_id') id: string): Promise<Answer> {
    const update = async (): Promise<Answer> => {
      const given = { params: { configuration_id: id }, body: fieldsOf(ctx) };
      await this.performer.perform<UpdateReportConfigurationDto, ReportConfigurationDto>(ctx, given, async (inner, body) =>
        ReportConfigurationDto.from(await this.configurations.update(inner, id, body)),
      );
      return goTo(pathOf(ctx, SECTION, id), 'The configuration was changed.');
    };
    return orAgain(ctx, update, (state) => this.form(ctx, state, id));
  }

  private async form(ctx: PageContext, state: FormState, id?: string): Promise<Answer> {
    const projects = await this.projects.choices(ctx, state.values('projectId')[0]);
    const title = id === undefined ? 'New configuration' : 'Edit configuration';
    const cancel = pathOf(ctx, SECTION, ...(id === undefined ? [] : [id]));
    return page(title, <ConfigurationForm ctx={ctx} state={state} projects={projects} cancel={cancel} />, state.problem?.status);
  }
}

const fieldsOf = ({ form }: PageContext) => ({
  projectId: form.given('projectId') ?? null,
  name: form.text('name'),
  periodStart: form.text('periodStart'),
  periodEnd: form.text('periodEnd'),
  status: form.text('status'),
  categoryFilter: jsonOf(form, 'categoryFilter'),
  outputOptions: jsonOf(form, 'outputOptions'),
});
