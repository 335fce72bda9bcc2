import { ConsoleDoor } from '../../../api/console/console-door.js';
import { ConsoleSection } from '../../../api/console/declarations.js';
import type { FormState } from '../../../api/console/form.js';
import { type PageContext, pathOf } from '../../../api/console/page-context.js';
import { RecordPages } from '../../../api/console/record-pages.js';
import { say } from '../../../api/console/say.js';
import { ProjectsService } from '../../projects/index.js';
import { type Configuration, CONFIGURATION_FIELDS } from '../configuration.entity.js';
import { ConfigurationsService } from '../configurations.service.js';
import { FIELD_NAMES, furtherBodyIn, FurtherInputs, furtherValuesOf } from './configuration-form.js';

const noProject = () => ({ none: say('console.configurations.organization'), path: 'projects' });

@ConsoleSection({
  path: 'configurations',
  label: 'Configurations',
  adds: 'New configuration',
  group: 'Claims',
  order: 4,
  operation: 'report_configurations.list',
})
export class ConfigurationsConsole extends RecordPages({
  path: 'configurations',
  operations: 'report_configurations',
  id: 'configuration_id',
  fields: CONFIGURATION_FIELDS,
  one: 'configuration',
  all: 'Report configurations',
  about: 'A configuration says what a report covers and which files it makes.',
  search: 'Name',
  atFirst: {
    status: 'ready',
    [FIELD_NAMES.formats]: ['json', 'xlsx', 'pdf'],
    [FIELD_NAMES.groupBy]: ['category', 'month'],
    [FIELD_NAMES.includeUncategorised]: 'yes',
  },
}) {
  constructor(
    configurations: ConfigurationsService,
    private readonly projects: ProjectsService,
    door: ConsoleDoor,
  ) {
    super(configurations, door);
  }

  protected override async related(ctx: PageContext, rows: readonly Configuration[]) {
    const ids = rows.map(({ projectId }) => projectId);
    return { projectId: { ...noProject(), names: await this.projects.names(ctx, ids) } };
  }

  protected override async choices(ctx: PageContext, state?: FormState) {
    return { projectId: { ...noProject(), choices: await this.projects.choices(ctx, state?.values('projectId')[0]) } };
  }

  protected override firstButtons(ctx: PageContext, { id }: Configuration) {
    return ctx.can('claim_reports.create') ? (
      <a class="button" href={`${pathOf(ctx, 'reports', 'new')}?reportConfigurationId=${id}`}>
        {say('console.configurations.makeReport')}
      </a>
    ) : null;
  }

  protected override furtherInputs(state: FormState) {
    return <FurtherInputs state={state} />;
  }

  protected override valuesOf(row: Configuration) {
    return { ...super.valuesOf(row), ...furtherValuesOf(row) };
  }

  protected override bodyIn(ctx: PageContext) {
    return { ...super.bodyIn(ctx), ...furtherBodyIn(ctx.form) };
  }
}
