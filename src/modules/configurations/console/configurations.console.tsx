import { ConsoleDoor, forPart } from '../../../api/console/console-door.js';
import { ConsoleSection } from '../../../api/console/declarations.js';
import { type FormState, errorsIn, type Form, type PageContext, pathOf } from '../../../api/console/page.js';
import { AreaField, CheckField, CheckGroup, type Choice, SelectField, TextField } from '../../../api/console/parts/fields.js';
import { RecordPages } from '../../../api/console/record-pages.js';
import { say, told, period } from '../../../api/console/say.js';
import { type Brief, RecordSearch, SearchSource, type Panel, RecordPanel } from '../../../api/console/ports.js';
import { type FreeForm, isObject, parsedJson } from '../../../kernel/json.js';
import { Problem } from '../../../kernel/problems.js';
import { Implements } from '../../../store/discovery/ports.js';
import { totalOf } from '../../../store/tenant/page.js';
import { ProjectsService, copyEach, MAX_PARTS, ProjectParts, requireFewParts } from '../../projects/index.js';
import type { CopiedParts, NextProject } from '../../projects/index.js';
import { addedFormat, OUTPUT_FORMATS, type OutputFormat } from '../../rules/index.js';
import { type Configuration, CONFIGURATION_FIELDS } from '../configuration.entity.js';
import { ConfigurationsService } from '../configurations.service.js';
import { Table } from '../../../api/console/parts/list.js';
import { ReportConfigurationDto } from '../configurations.dto.js';

const noProject = () => ({ none: say('console.configurations.organization'), path: 'projects' });

// Fields of the form are called after the places that errors name. What no field shows is in the JSON of each document.
const FIELD_NAMES = {
  formats: 'outputOptions.formats',
  groupBy: 'outputOptions.groupBy',
  currency: 'outputOptions.currency',
  detail: 'outputOptions.detail',
  includeUncategorised: 'outputOptions.includeUncategorised',
  include: 'categoryFilter.include',
  exclude: 'categoryFilter.exclude',
} as const;

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

const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every((one) => typeof one === 'string');
const isText = (value: unknown): value is string => typeof value === 'string';
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';

/** What a document has for a field of the form. Another value, such as `null`, stays in the rest. */
function taken<T>(rest: Record<string, unknown>, key: string, fits: (value: unknown) => value is T): T | undefined {
  const value = rest[key];
  if (!fits(value)) return undefined;
  delete rest[key];
  return value;
}

const jsonOf = (rest: FreeForm): string => (Object.keys(rest).length === 0 ? '' : JSON.stringify(rest, null, 2));

function furtherValuesOf(configuration: Configuration) {
  const [options, filter]: Record<string, unknown>[] = [{ ...configuration.outputOptions }, { ...configuration.categoryFilter }];
  const shown = {
    [FIELD_NAMES.formats]: taken(options!, 'formats', isTexts),
    [FIELD_NAMES.groupBy]: taken(options!, 'groupBy', isTexts),
    [FIELD_NAMES.currency]: taken(options!, 'currency', isText),
    [FIELD_NAMES.detail]: taken(options!, 'detail', isText),
    [FIELD_NAMES.includeUncategorised]: taken(options!, 'includeUncategorised', isFlag) === false ? undefined : 'yes',
    [FIELD_NAMES.include]: taken(filter!, 'include', isTexts)?.join('\n'),
    [FIELD_NAMES.exclude]: taken(filter!, 'exclude', isTexts)?.join('\n'),
  };
  return { ...shown, outputOptions: jsonOf(options as FreeForm), categoryFilter: jsonOf(filter as FreeForm) };
}

const codesIn = (form: Form, name: string): string[] =>
  form
    .text(name)
    .split('\n')
    .map((code) => code.trim())
    .filter(Boolean);

const json = (state: FormState, name: 'outputOptions' | 'categoryFilter', example: string) => ({
  ...{ state: withoutFields(state, name), name, label: say(`console.configurations.${name}.label`), rows: 3 },
  hint: say(`console.configurations.${name}.hint`, { example }),
});

/** Both, in the body of the operation. An empty field leaves its key out. */
const furtherBodyIn = (form: Form) => ({
  outputOptions: { ...restIn(form, 'outputOptions'), ...optionsIn(form) },
  categoryFilter: { ...restIn(form, 'categoryFilter'), ...filterIn(form) },
});

function optionsIn(form: Form) {
  const [formats, groupBy] = [form.list(FIELD_NAMES.formats), form.list(FIELD_NAMES.groupBy)];
  const [currency, detail] = [form.text(FIELD_NAMES.currency).trim(), form.given(FIELD_NAMES.detail)];
  return {
    ...(formats.length > 0 && { formats }),
    ...(groupBy.length > 0 && { groupBy }),
    ...(currency !== '' && { currency }),
    ...(detail !== undefined && { detail }),
    ...(!form.isChecked(FIELD_NAMES.includeUncategorised) && { includeUncategorised: false }),
  };
}

function filterIn(form: Form) {
  const [include, exclude] = [codesIn(form, FIELD_NAMES.include), codesIn(form, FIELD_NAMES.exclude)];
  return { ...(include.length > 0 && { include }), ...(exclude.length > 0 && { exclude }) };
}

function restIn(form: Form, name: 'outputOptions' | 'categoryFilter'): object {
  const json = form.text(name).trim();
  if (json === '') return {};
  const refuse = (why: string): never => {
    throw Problem.invalidField(name, 'wrong_type', why);
  };
  const value = parsedJson(json, (wrong) => refuse(`must be JSON: ${wrong}`));
  return isObject(value) ? value : refuse('must be a JSON object');
}

const FORMATS: Partial<Record<string, string>> = { json: 'JSON', csv: 'CSV', xlsx: 'Excel', pdf: 'PDF' };
const formatChoices = (): readonly Choice[] =>
  OUTPUT_FORMATS.map((format) => {
    const added = addedFormat(format);
    return [format, added ? told(added.about) : (FORMATS[format] ?? say(`console.configurations.formats.${format as LongFormat}`))];
  });
type LongFormat = Exclude<OutputFormat, 'json' | 'csv' | 'xlsx' | 'pdf'>;
const named = (state: FormState, name: keyof typeof FIELD_NAMES) => ({
  state,
  name: FIELD_NAMES[name],
  label: say(`console.configurations.fields.${name}`),
});

function FurtherInputs({ state }: { readonly state: FormState }) {
  const columns = ['category', 'month'] as const;
  const details = ['none', 'lines'] as const;
  return (
    <>
      <h2>{told('Report and files')}</h2>
      <CheckGroup {...named(state, 'formats')} choices={formatChoices()} />
      <CheckGroup {...named(state, 'groupBy')} choices={columns.map((column) => [column, say(`report.columns.${column}`)])} />
      <TextField {...named(state, 'currency')} hint={say('console.configurations.currencyHint')} maxLength={3} />
      <SelectField
        {...named(state, 'detail')}
        choices={details.map((detail) => [detail, say(`console.configurations.detail.${detail}`)])}
      />
      <CheckField {...named(state, 'includeUncategorised')} />
      <AreaField {...json(state, 'outputOptions', '{"locale": "de", "rates": "ecb"}')} />
      <h2>{told('Categories')}</h2>
      <AreaField {...named(state, 'include')} hint={say('console.configurations.includeHint')} rows={3} />
      <AreaField {...named(state, 'exclude')} hint={say('console.configurations.excludeHint')} rows={3} />
      <AreaField {...json(state, 'categoryFilter', '{"status": ["active", "archived"]}')} />
    </>
  );
}

function withoutFields({ values, problem }: FormState, document: string): FormState {
  if (!problem) return { values };
  const shown = Object.values(FIELD_NAMES).flatMap((name) => errorsIn({ values, problem }, name));
  const errors = problem.errors.filter((error) => error.field.startsWith(document) && !shown.includes(error));
  return { values, problem: new Problem(problem.code, { detail: problem.detail, errors }) };
}

@Implements(SearchSource)
export class ConfigurationSearch extends RecordSearch<Configuration>({
  label: 'Configurations',
  order: 40,
  path: 'configurations',
  operations: 'report_configurations',
  titleOf: ({ name }) => name,
  shows: [ReportConfigurationDto],
}) {
  constructor(configurations: ConfigurationsService) {
    super(configurations);
  }
}

const SHOWN = 50;

@Implements(RecordPanel)
export class ProjectConfigurations implements RecordPanel {
  readonly of = 'projects';
  readonly order = 40;
  readonly tab = 'configurations';
  readonly shows = [ReportConfigurationDto];

  constructor(private readonly configurations: ConfigurationsService) {}

  async readBrief(ctx: PageContext, id: string): Promise<Brief> {
    const counts = await this.configurations.countsByStatus(ctx, id);
    const to = `${pathOf(ctx, 'configurations', 'new')}?projectId=${id}`;
    const label = say('console.records.new', { kind: 'configurations', one: 'configuration' });
    const next = { step: 3, about: say('console.configurations.next'), label, to };
    return { label: told('Configurations'), count: counts && totalOf(counts), add: [to, label], next };
  }

  async show(ctx: PageContext, id: string): Promise<Panel> {
    const { rows } = await this.configurations.list(ctx, { page: 1, page_size: SHOWN, project_id: id });
    const body = (
      <Table
        caption={say('console.configurations.ofProject')}
        rows={rows}
        empty={null}
        columns={[
          [told('Name'), ({ id: configuration, name }) => <a href={pathOf(ctx, 'configurations', configuration)}>{name}</a>],
          [told('Period'), ({ periodStart, periodEnd }) => period(periodStart, periodEnd)],
        ]}
      />
    );
    return { body };
  }
}

@Implements(ProjectParts)
export class ConfigurationCopies implements ProjectParts {
  readonly order = 20;
  readonly title = 'Configurations';

  constructor(
    private readonly configurations: ConfigurationsService,
    private readonly door: ConsoleDoor,
  ) {}

  async names(ctx: PageContext, projectId: string): Promise<readonly string[]> {
    return (await this.findCopied(ctx, projectId)).map(({ name }) => name);
  }

  /** Names need not be unique: one that the next project has already is taken for the copy. */
  async copy(ctx: PageContext, next: NextProject): Promise<CopiedParts> {
    const [rows, there] = [await this.findCopied(ctx, next.from.id), new Set(await this.names(ctx, next.id))];
    return copyEach(
      rows.map((row) => {
        const name = next.renamed(row.name);
        return { name, isThere: there.has(name), make: () => this.make(ctx, next, row) };
      }),
    );
  }

  private async findCopied(ctx: PageContext, projectId: string): Promise<readonly Configuration[]> {
    const { rows } = await this.configurations.list(ctx, { page: 1, page_size: MAX_PARTS + 1, project_id: projectId });
    const used = requireFewParts(rows, 'configurations').filter(({ status }) => status !== 'archived');
    return used.toReversed();
  }

  private make(ctx: PageContext, next: NextProject, row: Configuration) {
    const { id, name, periodStart, periodEnd, accountingProvider, categoryFilter, outputOptions, status } = row;
    const { start, end } = next.moved({ start: periodStart, end: periodEnd });
    const settings = { accountingProvider, categoryFilter, outputOptions, status, ...CONFIGURATION_FIELDS.shown(row) };
    const body = { projectId: next.id, name: next.renamed(name), periodStart: start, periodEnd: end, ...settings };
    return this.door.call<ReportConfigurationDto>(forPart(ctx, id), { operation: 'report_configurations.create', body });
  }
}
