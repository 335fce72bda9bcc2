import type { FormState } from '../../../api/console/form.js';
import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { customFacts, CustomInputs, customValues } from '../../../api/console/parts/custom-fields.js';
import { Badge, Facts, Time, type Tone } from '../../../api/console/parts/facts.js';
import { ConsoleForm, SelectField, TextField, type Choice } from '../../../api/console/parts/fields.js';
import { Filters, Pager, Table } from '../../../api/console/parts/list.js';
import type { PageOf } from '../../../store/tenant/page.js';
import type { Project, ProjectStatus } from '../project.entity.js';
import { PROJECT_FIELDS } from '../projects.dto.js';

const STATUSES: Record<ProjectStatus, readonly [label: string, tone: Tone]> = {
  draft: ['Draft', 'plain'],
  active: ['Active', 'good'],
  archived: ['Archived', 'busy'],
};
const CHOICES: readonly Choice[] = Object.entries(STATUSES).map(([value, [label]]) => [value, label]);

const Status = ({ of: status }: { of: ProjectStatus }) => <Badge tone={STATUSES[status][1]}>{STATUSES[status][0]}</Badge>;

export function ProjectList({ ctx, found }: { ctx: PageContext; found: PageOf<Project> }) {
  const newLink = ctx.can('claim_projects.create') ? (
    <a class="button" href={pathOf(ctx, 'projects', 'new')}>
      New project
    </a>
  ) : null;
  return (
    <>
      <p>A project is a claim for one client and one period.</p>
      <p>{newLink}</p>
      <Filters ctx={ctx} search="Name or client reference" selects={[['status', 'Status', CHOICES]]} />
      <Table
        caption="Claim projects"
        rows={found.rows}
        empty={<p>No project is here yet, or none that you searched for.</p>}
        columns={[
          ['Name', (project) => <a href={pathOf(ctx, 'projects', project.id)}>{project.name}</a>],
          ['Client reference', (project) => project.clientReference ?? ''],
          ['Period', (project) => `${project.periodStart} to ${project.periodEnd}`],
          ['Status', (project) => <Status of={project.status} />],
          ['Created', (project) => <Time ctx={ctx} at={project.createdAt} />],
        ]}
      />
      <Pager ctx={ctx} counted={found} />
    </>
  );
}

export function ProjectView({ ctx, project }: { ctx: PageContext; project: Project }) {
  const { id, name, clientReference, periodStart, periodEnd, status, metadata, createdAt, updatedAt } = project;
  return (
    <>
      <Facts
        facts={[
          ['Name', name],
          ['Client reference', clientReference],
          ['Period', `${periodStart} to ${periodEnd}`],
          ['Status', <Status of={status} />],
          ...customFacts(PROJECT_FIELDS, project),
          ['Id', <code>{id}</code>],
          ['Metadata', Object.keys(metadata).length === 0 ? null : <pre>{JSON.stringify(metadata, null, 2)}</pre>],
          ['Created', <Time ctx={ctx} at={createdAt} />],
          ['Changed', <Time ctx={ctx} at={updatedAt} />],
        ]}
      />
      <p class="buttons">
        {ctx.can('claim_projects.update') ? (
          <a class="button" href={pathOf(ctx, 'projects', id, 'edit')}>
            Edit
          </a>
        ) : null}
        {ctx.can('claim_projects.create') ? (
          <a class="button plain" href={pathOf(ctx, 'projects', id, 'next')}>
            The same for the next period
          </a>
        ) : null}
      </p>
    </>
  );
}

export const valuesOf = ({ name, clientReference, periodStart, periodEnd, status, customFields }: Project) => ({
  name,
  clientReference,
  periodStart,
  periodEnd,
  status,
  ...customValues(PROJECT_FIELDS, { customFields }),
});

export function ProjectForm({ ctx, state, submit, cancel }: { ctx: PageContext; state: FormState; submit: string; cancel: string }) {
  return (
    <ConsoleForm ctx={ctx} state={state} submit={submit} cancel={cancel}>
      <TextField state={state} name="name" label="Name" required maxLength={200} />
      <TextField state={state} name="clientReference" label="Client reference" hint="Your own, if you have one." maxLength={200} />
      <TextField state={state} name="periodStart" label="First day of the period" type="date" required />
      <TextField state={state} name="periodEnd" label="Last day of the period" type="date" required />
      <SelectField state={state} name="status" label="Status" choices={CHOICES} />
      <CustomInputs fields={PROJECT_FIELDS} state={state} />
    </ConsoleForm>
  );
}
