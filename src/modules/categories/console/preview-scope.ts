import type { Form } from '../../../api/console/form.js';
import { isUuid } from '../../../kernel/ids.js';
import { Problem } from '../../../kernel/problems.js';
import { isCalendarDate } from '../../../kernel/time.js';
import type { PreviewScope } from './rule-previews.js';

export const SCOPE_FIELDS = { project: 'previewProject', start: 'previewStart', end: 'previewEnd' } as const;

/** The lines that a form asks to look at. */
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
