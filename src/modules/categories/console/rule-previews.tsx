import { type Form, type FormState, type PageContext, pathOf } from '../../../api/console/page.js';
import { Note } from '../../../api/console/parts/facts.js';
import { SelectField, TextField, type Choice } from '../../../api/console/parts/fields.js';
import { PAGE_SIZE, Table } from '../../../api/console/parts/list.js';
import { amount as said, say } from '../../../api/console/say.js';
import { FIRST, Naming } from '../../../api/wording/page-wording.js';
import { isUuid } from '../../../kernel/ids.js';
import { Problem } from '../../../kernel/problems.js';
import { isCalendarDate } from '../../../kernel/time.js';
import type { Category } from '../category.entity.js';

export interface PreviewedCategory extends Readonly<Pick<Category, 'projectId' | 'code' | 'name' | 'sourceMapping'>> {
  readonly id: string | null;
}

export interface PreviewScope {
  readonly projectId: string | null;
  readonly period: { readonly start: string; readonly end: string } | null;
}

export interface PreviewedLine {
  readonly statementId: string;
  readonly lineNumber: number;
  readonly bookedOn: string;
  readonly description: string;
  readonly counterparty: string | null;
  readonly amount: string;
  readonly currency: string | null;
  readonly claimedToday: string | null;
}

export interface RulePreview {
  readonly claimed: number;
  /** How many of these the category claims today already. */
  readonly claimedBefore: number;
  /** How many of these another category claims today. */
  readonly claimedByOthers: number;
  /** How many more lines the rules fit, which a rule of another category claims before them. */
  readonly outranked: number;
  /** The first of the claimed lines, those that are new to the category before the others. */
  readonly lines: readonly PreviewedLine[];
  readonly linesRead: number;
  readonly linesInAll: number;
}

export const PREVIEWED_LINES = 20;

/** A port: what rules would claim. Its implementation knows statements, and how a run reads rules. */
export abstract class RulePreviews {
  abstract preview(ctx: PageContext, category: PreviewedCategory, scope: PreviewScope): Promise<RulePreview>;
}

export const SCOPE_FIELDS = { project: 'previewProject', start: 'previewStart', end: 'previewEnd' } as const;

export function scopeIn(form: Form): PreviewScope {
  const projectId = form.given(SCOPE_FIELDS.project) ?? null;
  if (projectId !== null && !isUuid(projectId))
    throw Problem.invalidField(SCOPE_FIELDS.project, 'invalid_uuid', 'must be the id of a claim project');
  const [start, end] = [dayIn(form, SCOPE_FIELDS.start), dayIn(form, SCOPE_FIELDS.end)];
  if (start === undefined && end === undefined) return { projectId, period: null };
  if (start === undefined) throw Problem.invalidField(SCOPE_FIELDS.start, 'required', 'must be a day, too');
  if (end === undefined) throw Problem.invalidField(SCOPE_FIELDS.end, 'required', 'must be a day, too');
  if (end < start) throw Problem.invalidField(SCOPE_FIELDS.end, 'before_start', `must not be before ${start}`);
  return { projectId, period: { start, end } };
}

function dayIn(form: Form, name: string): string | undefined {
  const day = form.given(name);
  if (day !== undefined && !isCalendarDate(day)) throw Problem.invalidField(name, 'invalid_date', 'must be a day, such as 2026-01-31');
  return day;
}

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
