import { field, type About, type FieldProblem } from '../../../api/validation/fields.js';

/** Headers that an endpoint's deliveries have beside ours, by name. */
export type OwnHeaders = Readonly<Record<string, string>>;

export const MAX_OWN_HEADERS = 20;
const NAME_MAX_LENGTH = 100;
const VALUE_MAX_LENGTH = 1024;
/** What HTTP allows in a name. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Printable ASCII that begins and ends with something visible. */
const VALUE = /^[!-~]([ -~]*[!-~])?$/;

/** Headers that the request itself needs, or that say who sends it. */
const OURS =
  /^(host|user-agent|expect|date|connection|keep-alive|te|trailer|transfer-encoding|upgrade|content-.*|proxy-.*|webhook-.*|x-service-.*)$/;

function problemOfName(name: string, earlier: readonly string[]): FieldProblem | undefined {
  if (name.length > NAME_MAX_LENGTH) return { code: 'too_long', message: `must have a name of at most ${NAME_MAX_LENGTH} characters` };
  if (!NAME.test(name)) return { code: 'not_allowed', message: 'must have the name of an HTTP header' };
  if (OURS.test(name.toLowerCase())) return { code: 'not_allowed', message: 'must not be a header that the service or HTTP sets' };
  const isRepeated = earlier.some((other) => other.toLowerCase() === name.toLowerCase());
  return isRepeated ? { code: 'repeated', message: 'must not differ from another header by case alone' } : undefined;
}

// No message repeats a value: it is a secret.
function problemOfValue(value: unknown): FieldProblem | undefined {
  if (typeof value !== 'string') return { code: 'wrong_type', message: 'must be a string' };
  if (value.length > VALUE_MAX_LENGTH) return { code: 'too_long', message: `must have at most ${VALUE_MAX_LENGTH} characters` };
  if (VALUE.test(value)) return undefined;
  return { code: 'not_allowed', message: 'must be printable ASCII without blanks at its ends' };
}

function problemsOf(value: unknown): FieldProblem | readonly FieldProblem[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { code: 'wrong_type', message: 'must be an object' };
  const names = Object.keys(value);
  if (names.length > MAX_OWN_HEADERS) return { code: 'too_many', message: `must have at most ${MAX_OWN_HEADERS} headers` };
  return names.flatMap((name, index) => {
    const problem = problemOfName(name, names.slice(0, index)) ?? problemOfValue((value as Record<string, unknown>)[name]);
    return problem ? [{ ...problem, path: `[${JSON.stringify(name.slice(0, NAME_MAX_LENGTH))}]` }] : [];
  });
}

export const OwnHeadersField = (options: About): PropertyDecorator =>
  field({
    about: options,
    schema: {
      type: 'object',
      additionalProperties: { type: 'string', minLength: 1, maxLength: VALUE_MAX_LENGTH },
      maxProperties: MAX_OWN_HEADERS,
    },
    check: problemsOf,
  });
