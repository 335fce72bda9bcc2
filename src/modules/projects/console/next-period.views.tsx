import type { FormState } from '../../../api/console/form.js';
import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { Facts } from '../../../api/console/parts/facts.js';
import { ConsoleForm, TextField } from '../../../api/console/parts/fields.js';
import type { Project } from '../project.entity.js';
import type { Period } from './next-period.js';

export interface ShownParts {
  readonly title: string;
  /** A text: why they cannot be copied. */
  readonly names: readonly string[] | string;
}

/** How many parts of a kind are named. */
const NAMED = 20;

interface FormProps {
  readonly ctx: PageContext;
  readonly project: Project;
  readonly period: Period;
  readonly state: FormState;
  readonly parts: readonly ShownParts[];
}

export const NextPeriodForm = ({ ctx, project, period, state, parts }: FormProps) => (
  <>
    <p>
      This makes a project like <a href={pathOf(ctx, 'projects', project.id)}>{project.name}</a>, with its settings and what belongs to it
      alone. Its statements and reports stay where they are, and days within rules stay as they are.
    </p>
    <Facts
      facts={[
        ['Period', `${period.start} to ${period.end}`],
        ['Client reference', project.clientReference],
        ...parts.map(({ title, names }) => [title, names.length === 0 ? null : namesOf(names)] as const),
      ]}
    />
    <ConsoleForm ctx={ctx} state={state} submit="Create the project" cancel={pathOf(ctx, 'projects', project.id)}>
      <TextField state={state} name="name" label="Name" required maxLength={200} />
    </ConsoleForm>
  </>
);

const namesOf = (names: ShownParts['names']): string =>
  typeof names === 'string'
    ? names
    : `${names.length}: ${names.slice(0, NAMED).join(', ')}${names.length > NAMED ? ` and ${names.length - NAMED} more` : ''}`;
