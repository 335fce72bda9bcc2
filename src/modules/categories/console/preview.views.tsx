import { Note } from '../../../api/console/parts/facts.js';
import { type FormState, pathOf, type PageContext } from '../../../api/console/page.js';
import { SelectField, TextField, type Choice } from '../../../api/console/parts/fields.js';
import { PAGE_SIZE, Table } from '../../../api/console/parts/list.js';
import { amount as said, say } from '../../../api/console/say.js';
import { FIRST, Naming } from '../../../api/wording/page-wording.js';
import { PREVIEWED_LINES, type PreviewedLine, type RulePreview, SCOPE_FIELDS } from './rule-previews.js';

const PREVIEW_ID = 'preview';

/** The part of a form that asks for a preview. What else the form says is not stored by it. */
export const PreviewFields = ({ state, projects, action }: { state: FormState; projects: readonly Choice[]; action: string }) => (
  <fieldset>
    <legend>{say('console.categories.preview.title')}</legend>
    <p class="hint">{say('console.categories.preview.about')}</p>
    <SelectField {...scoped(state, 'project', 'statements')} choices={[['', say('console.categories.allProjects')], ...projects]} />
    <div class="filters">
      <TextField {...scoped(state, 'start', 'from')} type="date" />
      <TextField {...scoped(state, 'end', 'to')} type="date" />
    </div>
    <button class="plain" formaction={`${action}#${PREVIEW_ID}`} formNoValidate>
      {say('console.categories.preview.title')}
    </button>
  </fieldset>
);

const scoped = (state: FormState, field: keyof typeof SCOPE_FIELDS, label: 'statements' | 'from' | 'to') => ({
  ...{ state, name: SCOPE_FIELDS[field], label: say(`console.categories.preview.${label}`) },
});

export function PreviewView({ ctx, preview }: { ctx: PageContext; preview: RulePreview }) {
  const { claimed, claimedBefore, claimedByOthers, outranked, lines, linesRead, linesInAll } = preview;
  return (
    <section id={PREVIEW_ID} tabIndex={-1} aria-label={say('console.categories.preview.title')}>
      <h2>{say('console.categories.preview.title')}</h2>
      <Note tone="notice">
        <Naming
          text={say('console.categories.preview.claimed', {
            lines: FIRST,
            read: linesRead,
            before: claimedBefore,
            others: claimedByOthers,
          })}
          names={[say('console.categories.preview.lines', { count: claimed })]}
        />
      </Note>
      {outranked === 0 ? null : <p class="warning">{say('console.categories.preview.outranked', { count: outranked })}</p>}
      {linesInAll <= linesRead ? null : <p class="warning">{say('console.categories.preview.tooMany', { count: linesInAll })}</p>}
      <Table
        caption={say('console.categories.preview.caption', { count: PREVIEWED_LINES })}
        rows={lines}
        empty={<p>{say('console.categories.preview.none')}</p>}
        columns={[
          [say('console.categories.preview.line'), (line) => <LineOf ctx={ctx} line={line} />],
          [say('console.categories.fields.date'), ({ bookedOn }) => bookedOn],
          [say('console.categories.fields.description'), ({ description }) => description],
          [say('console.categories.fields.counterparty'), ({ counterparty }) => counterparty ?? ''],
          [say('console.categories.fields.amount'), ({ amount, currency }) => `${said(amount)} ${currency ?? ''}`, 'number'],
          [say('console.categories.preview.claimedToday'), ({ claimedToday }) => claimedToday ?? ''],
        ]}
      />
      {claimed > lines.length ? <p class="hint">{say('console.categories.preview.some', { count: lines.length })}</p> : null}
    </section>
  );
}

const LineOf = ({ ctx, line: { statementId, lineNumber } }: { ctx: PageContext; line: PreviewedLine }) => (
  <a href={`${pathOf(ctx, 'statements', statementId)}?page=${Math.ceil(lineNumber / PAGE_SIZE)}#line-${lineNumber}`}>{lineNumber}</a>
);
