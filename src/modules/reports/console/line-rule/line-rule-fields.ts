import type { Form } from '../../../../api/console/form.js';
import type { FreeForm } from '../../../../kernel/json.js';
import { Problem } from '../../../../kernel/problems.js';
import { canonicalJson } from '../../../../kernel/json.js';
import type { RedactedLine } from '../../../statements/index.js';
import { suggestedWords } from './suggested-words.js';

/** What the form says of the rule, and of the category that it is for. */
export interface WantedRule {
  /** Id of the category; undefined for a new one. */
  readonly categoryId: string | undefined;
  readonly code: string;
  readonly name: string;
  readonly projectId: string | null;
  readonly rule: object;
}

/** What is suggested for a line. Its amount is not: that of the next one may differ. */
export function suggestedFor({ description, counterparty }: RedactedLine) {
  const words = suggestedWords(description);
  return { description: words, counterparty: words === '' ? counterparty : null };
}

export function wantedIn(form: Form): WantedRule {
  const [description, counterparty, percent] = [
    form.text('description').trim(),
    form.text('counterparty').trim(),
    form.text('percent').trim(),
  ];
  if (description === '' && counterparty === '')
    throw Problem.invalidField('description', 'required', 'must have words, unless the rule names a counterparty');
  return {
    categoryId: form.given('category'),
    code: form.text('code'),
    name: form.text('name'),
    projectId: form.given('projectId') ?? null,
    rule: {
      ...(percent !== '' && { claimablePercent: Number.isFinite(Number(percent)) ? Number(percent) : percent }),
      all: [
        ...(description === '' ? [] : [{ field: 'description', op: 'contains', value: description }]),
        ...(counterparty === '' ? [] : [{ field: 'counterparty', op: 'is', value: counterparty }]),
      ],
    },
  };
}

/** A mapping with one more rule; itself if it has the very same rule. */
export function withRule(mapping: FreeForm, rule: object): FreeForm {
  const rules: unknown[] = Array.isArray(mapping.rules) ? mapping.rules : [];
  const wanted = canonicalJson(rule);
  return rules.some((one) => canonicalJson(one) === wanted) ? mapping : { ...mapping, rules: [...rules, rule] };
}
