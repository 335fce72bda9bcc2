import { Param } from '@nestjs/common';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf, type FormState } from '../../../api/console/form.js';
import { goTo, page, type Answer } from '../../../api/console/page.js';
import { PageCtx, pathOf, type PageContext } from '../../../api/console/page-context.js';
import { chosenAmong, chosenIn, pageNumberIn, PAGE_SIZE } from '../../../api/console/parts/list.js';
import { orAgain, ConsoleDoor } from '../../../api/console/console-door.js';
import { ProjectsService } from '../../projects/index.js';
import { CONFIGURATION_STATUSES } from '../configuration.entity.js';
import { ReportConfigurationDto } from '../configurations.dto.js';
import { ConfigurationsService } from '../configurations.service.js';
import { ConfigurationForm, FIELD_NAMES, fieldsOf, valuesOf } from './configuration-form.js';
import { ConfigurationList, ConfigurationView } from './configurations.views.js';

const SECTION = 'configurations';
const AT_FIRST = {
  status: 'ready',
  [FIELD_NAMES.formats]: ['json', 'xlsx', 'pdf'],
  [FIELD_NAMES.groupBy]: ['category', 'month'],
  [FIELD_NAMES.includeUncategorised]: 'yes',
};

@ConsoleSection({ path: SECTION, label: 'Configurations', group: 'Claims', order: 4, operation: 'report_configurations.list' })
export class ConfigurationsConsole {
  constructor(
    private readonly configurations: ConfigurationsService,
    private readonly projects: ProjectsService,
    private readonly door: ConsoleDoor,
  ) {}

  @Page({ route: 'GET /', operation: 'report_configurations.list' })
  async list(@PageCtx() ctx: PageContext): Promise<Answer> {
    const projects = await this.projects.choices(ctx);
    const found = await this.configurations.list(ctx, {
      page: pageNumberIn(ctx),
      page_size: PAGE_SIZE,
      search: ctx.query.get('search')?.slice(0, 200) || undefined,
      project_id: chosenAmong(ctx, 'project', projects),
      status: chosenIn(ctx, 'status', CONFIGURATION_STATUSES),
    });
    const names = await this.projects.names(
      ctx,
      found.rows.map(({ projectId }) => projectId),
    );
    return page('Report configurations', <ConfigurationList ctx={ctx} found={found} projects={projects} names={names} />);
  }

  @Page({ route: 'GET /new', operation: 'report_configurations.create' })
  new(@PageCtx() ctx: PageContext): Promise<Answer> {
    return this.newPage(ctx, formOf(AT_FIRST));
  }

  @Action({ route: 'POST /new', operation: 'report_configurations.create' })
  create(@PageCtx() ctx: PageContext): Promise<Answer> {
    const create = async (): Promise<Answer> => {
      const { id } = await this.door.call<ReportConfigurationDto>(ctx, { body: fieldsOf(ctx.form) });
      return goTo(pathOf(ctx, SECTION, id), 'The configuration was created.');
    };
    return orAgain(ctx, create, (state) => this.newPage(ctx, state));
  }

  @Page({ route: 'GET /:configuration_id', operation: 'report_configurations.get' })
  async show(@PageCtx() ctx: PageContext, @Param('configuration_id') id: string): Promise<Answer> {
    const configuration = await this.configurations.get(ctx, id);
    const names = await this.projects.names(ctx, [configuration.projectId]);
    return page(configuration.name, <ConfigurationView ctx={ctx} configuration={configuration} names={names} />);
  }

  @Page({ route: 'GET /:configuration_id/edit', operation: 'report_configurations.update' })
  async edit(@PageCtx() ctx: PageContext, @Param('configuration_id') id: string): Promise<Answer> {
    return this.editPage(ctx, formOf(valuesOf(await this.configurations.get(ctx, id))));
  }

  @Action({ route: 'POST /:configuration_id/edit', operation: 'report_configurations.update' })
  update(@PageCtx() ctx: PageContext, @Param('configuration_id') id: string): Promise<Answer> {
    const update = async (): Promise<Answer> => {
      const given = { params: { configuration_id: id }, body: fieldsOf(ctx.form) };
      await this.door.call<ReportConfigurationDto>(ctx, given);
      return goTo(pathOf(ctx, SECTION, id), 'The configuration was changed.');
    };
    return orAgain(ctx, update, (state) => this.editPage(ctx, state));
  }

  private async newPage(ctx: PageContext, state: FormState): Promise<Answer> {
    const said = { submit: 'Create the configuration', cancel: pathOf(ctx, SECTION) };
    const projects = await this.projects.choices(ctx, state.values('projectId')[0]);
    return page('New configuration', <ConfigurationForm ctx={ctx} state={state} projects={projects} {...said} />, state.problem?.status);
  }

  private async editPage(ctx: PageContext, state: FormState): Promise<Answer> {
    const said = { submit: 'Save', cancel: ctx.path.replace(/\/edit$/, '') };
    const projects = await this.projects.choices(ctx, state.values('projectId')[0]);
    return page('Edit configuration', <ConfigurationForm ctx={ctx} state={state} projects={projects} {...said} />, state.problem?.status);
  }
}
