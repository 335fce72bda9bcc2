import { Param } from '@nestjs/common';
import { ConsoleDoor, orAgain } from '../../../api/console/console-door.js';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf, type FormState, type PageContext, PageCtx, pathOf, type Answer, goTo, page } from '../../../api/console/page.js';
import { Facts, LinkButton, PlainLink, Sentence } from '../../../api/console/parts/facts.js';
import { ConsoleForm, TextField } from '../../../api/console/parts/fields.js';
import { RecordSearch, SearchSource } from '../../../api/console/ports.js';
import { RecordPages } from '../../../api/console/record-pages.js';
import { period as said, say, told } from '../../../api/console/say.js';
import { FIRST } from '../../../api/wording/page-wording.js';
import { Problem } from '../../../kernel/problems.js';
import { Implements, Ports } from '../../../store/discovery/ports.js';
import type { Days as Period } from '../period-guard.js';
import { type Project, PROJECT_FIELDS } from '../project.entity.js';
import { ClaimProjectDto } from '../projects.dto.js';
import { ProjectsService } from '../projects.service.js';
import { renamed, shifted, shiftOf, type CopiedParts, type NextProject, ProjectParts } from './next-period.js';

@Implements(SearchSource)
export class ProjectSearch extends RecordSearch<Project>({
  label: 'Projects',
  order: 10,
  path: 'projects',
  operations: 'claim_projects',
  titleOf: ({ name }) => name,
  aboutOf: ({ periodStart, periodEnd }) => said(periodStart, periodEnd),
  shows: [ClaimProjectDto],
}) {
  constructor(projects: ProjectsService) {
    super(projects);
  }
}

@ConsoleSection({ path: 'projects', label: 'Projects', adds: 'New project', group: 'Claims', order: 1, operation: 'claim_projects.list' })
export class ProjectsConsole extends RecordPages({
  path: 'projects',
  operations: 'claim_projects',
  id: 'project_id',
  fields: PROJECT_FIELDS,
  one: 'project',
  all: 'Claim projects',
  about: 'A project is a claim for one client and one period.',
  search: 'Name or client reference',
  atFirst: { status: 'active' },
}) {
  constructor(projects: ProjectsService, door: ConsoleDoor) {
    super(projects, door);
  }

  protected override firstButtons(ctx: PageContext, { id }: Project) {
    return ctx.can('claim_reports.create') ? (
      <LinkButton to={`${pathOf(ctx, 'reports', 'new')}?projectId=${id}`}>{say('console.projects.newReport')}</LinkButton>
    ) : null;
  }

  protected override lastButtons(ctx: PageContext, { id }: Project) {
    return ctx.can('claim_projects.create') && !ctx.hidden ? (
      <PlainLink to={pathOf(ctx, 'projects', id, 'next')} label={say('console.projects.duplicate')} />
    ) : null;
  }
}

interface ShownParts {
  readonly title: string;
  /** A text: why they cannot be copied. */
  readonly names: readonly string[] | string;
}

const NAMED = 20;

interface FormProps {
  readonly ctx: PageContext;
  readonly project: Project;
  readonly period: Period;
  readonly state: FormState;
  readonly parts: readonly ShownParts[];
}

function NextPeriodForm({ ctx, project, period, state, parts }: FormProps) {
  const [path, submit] = [pathOf(ctx, 'projects', project.id), say('console.records.create', { kind: 'projects', one: 'project' })];
  return (
    <>
      <Sentence text={say('console.projects.nextAbout', { project: FIRST })} parts={[<a href={path}>{project.name}</a>]} />
      <Facts
        facts={[
          [told('Period'), said(period.start, period.end)],
          [told('Client reference'), project.clientReference],
          ...parts.map(({ title, names }) => [told(title), names.length === 0 ? null : namesOf(names)] as const),
        ]}
      />
      <ConsoleForm ctx={ctx} state={state} submit={submit} cancel={path}>
        <TextField state={state} name="name" label={told('Name')} required maxLength={200} />
      </ConsoleForm>
    </>
  );
}

function namesOf(names: ShownParts['names']): string {
  if (typeof names === 'string') return names;
  const first = names.slice(0, NAMED);
  return say('console.projects.named', { count: names.length, names: first.join(', '), more: names.length - first.length });
}

@ConsoleSection({ path: 'projects', label: 'Next period', order: 9 })
export class NextPeriodConsole {
  constructor(
    private readonly projects: ProjectsService,
    private readonly door: ConsoleDoor,
    private readonly ports: Ports,
  ) {}

  @Page({ route: 'GET /:project_id/next', operation: 'claim_projects.create' })
  async show(@PageCtx() ctx: PageContext, @Param('project_id') id: string): Promise<Answer> {
    const project = await this.projects.get(ctx, id);
    const period = periodOf(project);
    return this.form(ctx, project, formOf({ name: renamed(project.name, period, nextOf(project)) }));
  }

  @Action({ route: 'POST /:project_id/next', operation: 'claim_projects.create' })
  async create(@PageCtx() ctx: PageContext, @Param('project_id') id: string): Promise<Answer> {
    const project = await this.projects.get(ctx, id);
    const create = async (): Promise<Answer> => {
      // Nothing is made of a project that has too much.
      for (const parts of this.parts()) await parts.names(ctx, id);
      const made = await this.make(ctx, project);
      const next: NextProject = {
        id: made.id,
        from: project,
        moved: (period) => shifted(period, shiftOf(periodOf(project))),
        renamed: (name) => renamed(name, periodOf(project), nextOf(project)),
      };
      const created = say('console.records.created', { kind: 'projects', one: 'project' });
      const notice: string[] = [made.isNew ? created : say('console.projects.thereAlready')];
      for (const parts of this.parts()) notice.push(saidOf(parts.title, await parts.copy(ctx, next)));
      return goTo(pathOf(ctx, 'projects', made.id), notice.filter(Boolean).join(' '));
    };
    return orAgain(ctx, create, (state) => this.form(ctx, project, state));
  }

  /** One with its name and period is taken for it: then what it lacks is copied. */
  private async make(ctx: PageContext, { clientReference, status, metadata, customFields, ...project }: Project) {
    const { start, end } = nextOf(project);
    const copied = PROJECT_FIELDS.shown({ customFields });
    const settings = { clientReference, status: status === 'archived' ? 'active' : status, metadata, ...copied };
    const body = { name: ctx.form.text('name'), periodStart: start, periodEnd: end, ...settings };
    try {
      const { id } = await this.door.call<ClaimProjectDto>(ctx, { body });
      return { id, isNew: true };
    } catch (error) {
      if (!(error instanceof Problem) || error.conflictingId === undefined) throw error;
      const { id, periodStart, periodEnd } = await this.projects.get(ctx, error.conflictingId);
      if (periodStart !== start || periodEnd !== end) throw error;
      return { id, isNew: false };
    }
  }

  private async form(ctx: PageContext, project: Project, state: FormState): Promise<Answer> {
    const parts: ShownParts[] = [];
    for (const one of this.parts()) parts.push({ title: one.title, names: await one.names(ctx, project.id).catch(detailOf) });
    const form = <NextPeriodForm ctx={ctx} project={project} period={nextOf(project)} state={state} parts={parts} />;
    return page(say('console.projects.duplicate'), form, state.problem?.status);
  }

  private parts(): ProjectParts[] {
    return [...this.ports.all(ProjectParts)].sort((a, b) => a.order - b.order);
  }
}

/** What is too much is said in place of its names. */
function detailOf(error: unknown): string {
  if (error instanceof Problem && error.status === 400) return told(error.detail);
  throw error;
}

type Dated = Pick<Project, 'periodStart' | 'periodEnd'>;
const periodOf = ({ periodStart: start, periodEnd: end }: Dated): Period => ({ start, end });
const nextOf = (project: Dated): Period => shifted(periodOf(project), shiftOf(periodOf(project)));

function saidOf(title: string, { made, kept, refused }: CopiedParts): string {
  const counts = [
    ...(made.length > 0 ? [say('console.projects.made', { count: made.length })] : []),
    ...(kept.length > 0 ? [say('console.projects.kept', { count: kept.length })] : []),
    ...(refused.length > 0 ? [say('console.projects.refused', { count: refused.length, names: refused.join('; ') })] : []),
  ];
  return counts.length === 0 ? '' : say('console.projects.parts', { title: told(title), counts: counts.join(', ') });
}
