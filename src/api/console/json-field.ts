import { Problem } from '../../kernel/problems.js';
import { parseJson } from '../validation/json-body.js';
import type { Form } from './form.js';

/** The JSON object of a text field; `{}` for an empty one. What is no JSON is refused at the field, with the place. */
export function jsonOf(form: Form, name: string): unknown {
  const text = form.text(name).trim();
  if (text === '') return {};
  try {
    return parseJson(Buffer.from(text));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const message = `is not JSON: ${error.detail}`;
    throw new Problem('validation_failed', {
      detail: `${name} ${message}`,
      errors: [{ location: 'body', field: name, code: 'wrong_type', message }],
      cause: error,
    });
  }
}

/** A free-form object as people read and change it. */
export const jsonText = (value: object): string => (Object.keys(value).length === 0 ? '' : JSON.stringify(value, null, 2));
