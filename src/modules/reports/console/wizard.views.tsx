import type { FormState } from '../../../api/console/form.js';
import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { Facts } from '../../../api/console/parts/facts.js';
import { ConsoleForm, SelectField } from '../../../api/console/parts/fields.js';
import type { FoundEvidence } from '../preview/evidence-calendars.js';
import { AccountCalendar } from './calendar.views.js';
import type { RunAhead } from './run-choice.js';
import type { ChoicesOfRuns } from './run-names.js';

interface ChoiceProps {
  readonly ctx: PageContext;
  readonly state: FormState;
  readonly choices: ChoicesOfRuns;
}

/** The first step: what the report is of. It is in the address, so it can be shared, and nothing is stored. */
export const ChoiceForm = ({ ctx, state, choices }: ChoiceProps) => (
  <form method="get" action={pathOf(ctx, 'reports', 'new')} class="fields">
    {state.problem ? (
      <p class="error" role="alert">
        {state.problem.detail}
      </p>
    ) : null}
    <SelectField
      state={state}
      name="reportConfigurationId"
      label="Configuration"
      hint={
        <>
          It says which period, categories and files, such as a PDF, the report has.{' '}
          <a href={pathOf(ctx, 'configurations', 'new')}>New configuration</a>
        </>
      }
      choices={[['', 'None: all categories, figures only'], ...choices.configurations]}
    />
    <SelectField
      state={state}
      name="projectId"
      label="Project"
      hint="With a project, only its statements are read."
      choices={[['', 'That of the configuration, or the whole organization'], ...choices.projects]}
    />
    <p class="buttons">
      <button>Next: see what it reads</button>
      <a class="button plain" href={pathOf(ctx, 'reports')}>
        Cancel
      </a>
    </p>
  </form>
);

interface AheadProps {
  readonly ctx: PageContext;
  readonly ahead: RunAhead;
  /** A text: why it cannot be shown. */
  readonly found: FoundEvidence | string;
}

/** The second step: what the run would read, before it is queued. */
export function RunAheadView({ ctx, ahead, found }: AheadProps) {
  const { chosen, project, configuration, period } = ahead;
  return (
    <>
      <Facts
        facts={[
          ['Configuration', configuration ?? 'None: all categories, figures only'],
          ['Project', project ?? 'Whole organization'],
          ['Period', period ? `${period.start} to ${period.end}` : 'That of the statements'],
        ]}
      />
      {typeof found === 'string' ? (
        <p class="error" role="alert">
          {found}
        </p>
      ) : (
        <Found ctx={ctx} found={found} />
      )}
      <ConsoleForm ctx={ctx} action={pathOf(ctx, 'reports', 'new')} submit="Make the report" cancel={pathOf(ctx, 'reports')}>
        {Object.entries(chosen).map(([name, id]) => (
          <input type="hidden" name={name} value={(id as string | null) ?? ''} />
        ))}
        <p>
          <a href={pathOf(ctx, 'reports', 'new')}>Choose something else</a>
        </p>
      </ConsoleForm>
    </>
  );
}

function Found({ ctx, found: { shown, unredacted, elsewhere } }: { ctx: PageContext; found: FoundEvidence }) {
  return (
    <>
      {shown ? <Gaps shown={shown} /> : <p class="warning">The statements are too many to be shown here. A run may read more.</p>}
      {elsewhere === undefined ? null : <p class="warning">{elsewhere}</p>}
      {unredacted.length === 0 ? null : (
        <p class="warning">
          Not read, since they are not redacted:{' '}
          {unredacted.map(({ id, fileName }, index) => (
            <>
              {index === 0 ? '' : ', '}
              <a href={pathOf(ctx, 'statements', id)}>{fileName || id}</a>
            </>
          ))}
        </p>
      )}
      {shown ? <AccountCalendar ctx={ctx} shown={shown} /> : null}
    </>
  );
}

/** How many months are named. */
const MAX_NAMED = 24;

function Gaps({ shown: { statements, calendar } }: { shown: NonNullable<FoundEvidence['shown']> }) {
  const { coveragePercent, months } = calendar.evidence;
  const [missing, partial] = (['missing', 'partial'] as const).map((wanted) => months.filter(({ status }) => status === wanted));
  const named = (some: typeof months): string =>
    [
      ...some.slice(0, MAX_NAMED).map(({ month }) => month),
      ...(some.length > MAX_NAMED ? [`and ${some.length - MAX_NAMED} more`] : []),
    ].join(', ');
  return (
    <>
      <p>
        <strong>{statements.length === 1 ? '1 statement' : `${statements.length} statements`}</strong> found. They cover {coveragePercent} %
        of the period.
      </p>
      {missing!.length === 0 ? null : <p class="warning">Months without evidence: {named(missing!)}.</p>}
      {partial!.length === 0 ? null : <p class="warning">Months with some days only: {named(partial!)}.</p>}
    </>
  );
}
