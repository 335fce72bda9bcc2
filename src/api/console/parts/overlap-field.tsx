import { Problem } from '../../../kernel/problems.js';
import { formOf, type PageContext } from '../page.js';
import { say } from '../say.js';
import { SelectField, type Choice } from './fields.js';

/** For how long the old credential of a rotation stays valid, in milliseconds. */
const OVERLAPS = ['0', '3600000', '86400000', '604800000'] as const;
const A_DAY = '86400000';

export const OverlapField = ({ label }: { label: string }) => (
  <SelectField
    state={formOf({ overlap: A_DAY })}
    name="overlap"
    label={label}
    choices={OVERLAPS.map((ms): Choice => [ms, say(`console.overlap.${ms}`)])}
  />
);

/** The overlap that was chosen, in milliseconds. */
export function overlapIn({ form }: PageContext): number {
  const overlap = form.text('overlap');
  if (!OVERLAPS.some((value) => value === overlap)) throw Problem.invalidField('overlap', 'not_allowed', 'must be one of the choices');
  return Number(overlap);
}
