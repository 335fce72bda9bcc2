import type { Form, PageContext } from '../../../api/console/page.js';
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
