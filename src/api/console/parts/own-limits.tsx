import { OWN_LIMIT_NAMES, OWN_LIMITS, type OwnLimit, type OwnLimits } from '../../limits/own-limits.js';
import type { FormState, PageContext } from '../page.js';
import { count, say } from '../say.js';
import { TextField } from './fields.js';

export const OwnLimitFields = ({ state }: { state: FormState }) => (
  <>
    {OWN_LIMIT_NAMES.map((name) => {
      const { min, max } = OWN_LIMITS[name];
      const texts = { label: say(`console.limits.${name}`), hint: say(`console.limits.${name}Hint`, { min, max }) };
      return <TextField state={state} name={name} {...texts} type="number" />;
    })}
  </>
);

/** What the form says. The service checks it. */
export function ownLimitsIn({ form }: PageContext): OwnLimits {
  return ofEach((name) => (form.text(name).trim() === '' ? null : Number(form.text(name))));
}

export const ownLimitValues = (limits: OwnLimits) => ofEach((name) => limits[name]?.toString());

const ofEach = <T,>(value: (name: OwnLimit) => T) =>
  Object.fromEntries(OWN_LIMIT_NAMES.map((name) => [name, value(name)])) as Record<OwnLimit, T>;

export const ownLimitFacts = (limits: OwnLimits) =>
  OWN_LIMIT_NAMES.flatMap((name) => {
    const value = limits[name];
    return value === null ? [] : [[say(`console.limits.${name}`), count(value)] as const];
  });
