import { CONFIRMATION_RULES, CONFIRMED_RISKS, type ConfirmationRule, type RulesByRisk } from '../../../kernel/confirmation-rules.js';
import { Problem } from '../../../kernel/problems.js';
import type { Form, FormState } from '../page.js';
import { say } from '../say.js';
import { type Choice, SelectField } from './fields.js';

export const ruleInWords = (rule: ConfirmationRule): string => say(`console.agents.rules.${rule}`);

/** A field for each risk. `unset`: what no choice of its own means. */
export const RuleFields = ({ state, of, unset }: { state: FormState; of: string; unset?: string }) =>
  CONFIRMED_RISKS.map((risk) => {
    const choices = CONFIRMATION_RULES.map((rule): Choice => [rule, ruleInWords(rule)]);
    const label = say(`console.agents.risks.${risk}`);
    const all: readonly Choice[] = unset === undefined ? choices : [['', unset], ...choices];
    return <SelectField state={state} name={`${of}.${risk}`} label={label} choices={all} />;
  });

export const ruleValues = (of: string, rules: RulesByRisk): (readonly [field: string, rule: string])[] =>
  Object.entries(rules).map(([risk, rule]) => [`${of}.${risk}`, rule]);

export function rulesIn(form: Form, of: string): RulesByRisk | null {
  const chosen = CONFIRMED_RISKS.flatMap((risk) => {
    const field = `${of}.${risk}`;
    const text = form.given(field);
    const rule = CONFIRMATION_RULES.find((one) => one === text);
    if (text !== undefined && !rule) throw Problem.invalidField(field, 'not_allowed', 'must be one of the choices');
    return rule ? [[risk, rule]] : [];
  });
  return chosen.length === 0 ? null : (Object.fromEntries(chosen) as RulesByRisk);
}
