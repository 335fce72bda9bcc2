import { FIELD_CODES, type FieldCode } from '../../kernel/field-codes.js';
import { CodeOf, Integer, ListOf, OneOf, Text, Uuid } from '../validation/fields.js';
import { SERVICE_URL } from '../../kernel/settings/setting-text.js';
import { PROBLEMS, type ProblemCode, type Retry } from '../../kernel/problems.js';

const titles = () => Object.fromEntries(Object.entries(PROBLEMS).map(([code, { title }]) => [code, `${title}.`]));

export class ProblemFieldErrorDto {
  @OneOf(['body', 'query', 'path', 'header'], { about: 'The part of the request that contains the value.' }) location: string;
  @Text({ about: 'Name of the field, parameter or header.', example: 'periodEnd' }) field: string;
  @CodeOf(FIELD_CODES, { about: 'What is wrong, for programs.', example: 'invalid_date' }) code: FieldCode;
  @Text({ about: 'What is wrong, for people.', example: 'must be an existing calendar date, like 2026-02-28' }) message: string;
}

export class ProblemDto {
  @Text({ about: 'URL of a page that explains the code.', example: `${SERVICE_URL}/problems/validation_failed` })
  type: string;
  @Text({ about: 'The code in words.', example: 'The request is not valid' }) title: string;
  @Integer({ about: 'The HTTP status.', min: 400, max: 599, example: 400 }) status: number;
  @Text({ about: 'What happened, for people.', example: 'periodEnd must be an existing calendar date, like 2026-02-28.' })
  detail: string;
  @CodeOf(titles, { about: 'What happened, for programs.', example: 'validation_failed' })
  code: ProblemCode;
  @Text({ about: 'Identifies this request in our logs.', example: '0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d21' }) requestId: string;
  @OneOf(['never', 'same_key', 'later'], {
    about: 'What a program should do: give up, repeat the request with the same Idempotency-Key, or repeat it later.',
  })
  retry: Retry;
  @ListOf(ProblemFieldErrorDto, { about: 'The invalid values; empty if the problem is not about a value.' })
  errors: ProblemFieldErrorDto[];
  @Uuid({ about: 'With `already_exists` and `claim_final`: id of the record that is in the way.', optional: true, example: undefined })
  conflictingId?: string;
}
