import type { FormState } from '../../../api/console/form.js';
import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { SelectField, TextField, type Choice } from '../../../api/console/parts/fields.js';
import { PAGE_SIZE, Table } from '../../../api/console/parts/list.js';
import { count, plural } from '../../../api/console/say.js';
import { PREVIEWED_LINES, type PreviewedLine, type RulePreview, SCOPE_FIELDS } from './rule-previews.js';

/** The part of the page with the preview. */
const PREVIEW_ID = 'preview';

const said = (lines: number): string => plural(lines, 'line');

interface FieldsProps {
  readonly state: FormState;
  readonly projects: readonly Choice[];
  /** Where the form is sent to for a preview. */
  readonly action: string;
}

/** The part of a form that asks for a preview. What else the form says is not stored by it. */
export const PreviewFields = ({ state, projects, action }: FieldsProps) => (
  <fieldset>
    <legend>Preview</legend>
    <p class="hint">Shows which lines the rules would claim. Nothing is stored.</p>
    <SelectField state={state} name={SCOPE_FIELDS.project} label="Statements of" choices={[['', 'All projects'], ...projects]} />
    <div class="filters">
      <TextField state={state} name={SCOPE_FIELDS.start} label="From" type="date" />
      <TextField state={state} name={SCOPE_FIELDS.end} label="To" type="date" />
    </div>
    <button class="plain" formaction={`${action}#${PREVIEW_ID}`} formNoValidate>
      Preview
    </button>
  </fieldset>
);

export function PreviewView({ ctx, preview }: { ctx: PageContext; preview: RulePreview }) {
  const { claimed, claimedBefore, claimedByOthers, outranked, lines, linesRead, linesInAll } = preview;
  return (
    <section id={PREVIEW_ID} tabIndex={-1} aria-label="Preview">
      <h2>Preview</h2>
      <p class="notice" role="status">
        The rules would claim <strong>{said(claimed)}</strong> of {said(linesRead)} that were read.{' '}
        {claimedBefore === 0 ? '' : `The category claims ${count(claimedBefore)} of them already. `}
        {claimedByOthers === 0
          ? 'No other category claims any of them today.'
          : `Another category claims ${count(claimedByOthers)} of them today.`}
      </p>
      {outranked === 0 ? null : <p class="warning">They also fit {said(outranked)} that a rule of another category claims before them.</p>}
      {linesInAll <= linesRead ? null : (
        <p class="warning">
          There are {said(linesInAll)}. Only those of the statements that were imported last were read. Choose a project or a shorter period
          to see the others.
        </p>
      )}
      <Table
        caption={`The first ${PREVIEWED_LINES} lines that the rules would claim`}
        rows={lines}
        empty={<p>The rules would claim none of these lines.</p>}
        columns={[
          ['Line', (line) => <LineOf ctx={ctx} line={line} />],
          ['Date', ({ bookedOn }) => bookedOn],
          ['Description', ({ description }) => description],
          ['Counterparty', ({ counterparty }) => counterparty ?? ''],
          ['Amount', ({ amount, currency }) => `${amount} ${currency ?? ''}`, 'number'],
          ['Claimed today by', ({ claimedToday }) => claimedToday ?? ''],
        ]}
      />
      {claimed > lines.length ? <p class="hint">These are {lines.length} of them.</p> : null}
    </section>
  );
}

const LineOf = ({ ctx, line: { statementId, lineNumber } }: { ctx: PageContext; line: PreviewedLine }) => (
  <a href={`${pathOf(ctx, 'statements', statementId)}?page=${Math.ceil(lineNumber / PAGE_SIZE)}#line-${lineNumber}`}>{lineNumber}</a>
);
