import type { FieldCode } from '../../kernel/field-codes.js';
import type { FieldError } from '../../kernel/problems.js';
import { snakeCase } from '../../kernel/text.js';

type Sentence = (label: string) => string;

/** What people read instead of the texts for programs; codes that forms cannot cause, and messages that say a number, are not here. */
const SENTENCES: Partial<Record<FieldCode, Sentence>> = {
  required: (label) => `${label} is missing.`,
  invalid_date: (label) => `${label} is not a day of the calendar.`,
  invalid_country: (label) => `${label} is not a country.`,
  invalid_currency: (label) => `${label} is not a currency. Enter a code such as EUR.`,
  invalid_amount: (label) => `${label} is not an amount. Enter it with a point, such as 12.50.`,
  invalid_percent: (label) => `${label} is not a percentage from 0 to 100.`,
  invalid_email: (label) => `${label} is not an email address.`,
  invalid_uuid: (label) => `${label} is not one of the choices.`,
  invalid_text: (label) => `${label} has characters that cannot be stored.`,
  before_start: (label) => `${label} is before the start.`,
  already_exists: (label) => `${label} is in use already. Choose another one.`,
  related_record_missing: (label) => `${label} is no longer there. Choose another one.`,
  not_of_configuration: (label) => `${label} is not that of the configuration.`,
  last_owner: () => 'The organization needs another owner first.',
};

/** `periodStart` is "Period start", `rules[0].value` is "Value". */
export function wordsOf(field: string): string {
  const words = snakeCase(
    field
      .split('.')
      .at(-1)!
      .replace(/\[\d+\]$/, ''),
  )
    .replace(/_id$/, '')
    .replaceAll('_', ' ');
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** Without the name of the field. Others of the code `required` say why something is needed. */
const MISSING = /^(?:is required|must have at least 1 character)$/;

/** What is wrong with a field, as a sentence with its label on the page. */
export function sentenceOf({ code, message }: FieldError, label: string): string {
  if (MISSING.test(message)) return SENTENCES.required!(label);
  return (code === 'required' ? undefined : SENTENCES[code]?.(label)) ?? `${label} ${message.replace(/\.$/, '')}.`;
}
