import { expect, it } from 'vitest';
import { sentenceOf, wordsOf } from './error-words.js';

const error = (code: string, message: string) => ({ location: 'body', field: 'name', code, message }) as Parameters<typeof sentenceOf>[0];

it.each([
  ['required', 'is required', 'Client name is missing.'],
  ['too_short', 'must have at least 1 character', 'Client name is missing.'],
  ['too_short', 'must have at least 12 characters', 'Client name must have at least 12 characters.'],
  ['required', 'is needed again for another issuer', 'Client name is needed again for another issuer.'],
  ['already_exists', 'is already used by category 0198, with the same projectId', 'Client name is in use already. Choose another one.'],
  ['too_long', 'must have at most 200 characters', 'Client name must have at most 200 characters.'],
])('%s (%s) is a sentence with the label of the page', (code, message, sentence) => {
  expect(sentenceOf(error(code, message), 'Client name')).toBe(sentence);
});

it.each([
  ['periodStart', 'Period start'],
  ['projectId', 'Project'],
  ['sourceMapping.rules[0].value', 'Value'],
  ['customFields.cost_centre', 'Cost centre'],
  ['rules[3]', 'Rules'],
])('the field %s is called %s', (field, words) => {
  expect(wordsOf(field)).toBe(words);
});
