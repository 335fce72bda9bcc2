import type { FieldCode } from '../../kernel/field-codes.js';
import type { FieldError, Problem } from '../../kernel/problems.js';
import { snakeCase } from '../../kernel/text.js';
import { say, told, wordingNow } from './say.js';

/** For these, people read a sentence of ours instead of the text for programs, which may say more than the others do. */
const ALWAYS: ReadonlySet<FieldCode> = new Set<FieldCode>([
  ...([
    'invalid_date',
    'invalid_country',
    'invalid_currency',
    'invalid_amount',
    'invalid_percent',
    'invalid_decimal',
    'invalid_email',
    'invalid_uuid',
  ] as const),
  ...(['invalid_text', 'before_start', 'already_exists', 'related_record_missing', 'not_of_configuration', 'last_owner'] as const),
]);
/** The sentences for all others are short, and for languages in which we do not have the text itself. */
const OTHERS = [
  'required',
  'not_allowed',
  'too_short',
  'too_long',
  'too_many',
  'out_of_range',
  'invalid_pattern',
  'target_not_allowed',
] as const;
const hasSentence = (code: FieldCode): code is (typeof OTHERS)[number] => (OTHERS as readonly string[]).includes(code);

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
  return told(`${words.slice(0, 1).toUpperCase()}${words.slice(1)}`);
}

/** Without the name of the field. Others of the code `required` say why something is needed. */
const MISSING = /^(?:is required|must have at least 1 character)$/;
const LENGTH = /^must have (?:(at least)|at most) (\d+) characters$/;

export function sentenceOf({ code, message }: FieldError, label: string): string {
  if (MISSING.test(message)) return say('console.errors.required', { label });
  if (ALWAYS.has(code)) return say(`console.errors.${code as 'invalid_date'}`, { label });
  const [, least, limit] = LENGTH.exec(message) ?? [];
  if (limit !== undefined) return say(`console.lengths.${least ? 'least' : 'most'}`, { label, count: Number(limit) });
  const said = told(message);
  if (said !== message || wordingNow().language.startsWith('en')) return `${label} ${said.replace(/\.$/, '')}.`;
  return say(`console.errors.${hasSentence(code) ? code : 'other'}`, { label });
}

/** What a problem says to programs, for people. What we do not have in their language is marked, for those who hear it. */
export function Detail({ text }: { text: string }) {
  const said = told(text);
  return <p lang={said === text && !wordingNow().language.startsWith('en') ? 'en' : undefined}>{said}</p>;
}

export const ProblemBody = ({ problem }: { problem: Problem }) => (
  <>
    <div class="error" role="alert">
      <Detail text={problem.detail} />
    </div>
    {problem.errors.length === 0 ? null : (
      <ul>
        {problem.errors.map((error) => (
          <li>{sentenceOf(error, wordsOf(error.field))}</li>
        ))}
      </ul>
    )}
  </>
);
