import { Integer, ListOf, OneOf, Text } from '../validation/fields.js';
import { PROBLEMS, type ProblemCode, type Retry } from '../../kernel/problems.js';

export class FieldErrorDto {
  @OneOf(['body', 'query', 'path', 'header'], { about: 'Where the value stands.' }) location: string;
  @Text({ about: 'Its name there.', example: 'periodEnd' }) field: string;
  @Text({ about: 'What is wrong, for programs.', example: 'invalid_date' }) code: string;
  @Text({ about: 'What is wrong, for people.', example: 'must be a calendar date that exists, like 2026-02-28' }) message: string;
}

/** How every answer that is not 2xx looks (RFC 9457). */
export class ProblemDto {
  @Text({ about: 'An address with a page that explains the code.', example: 'http://127.0.0.1:3000/problems/validation_failed' })
  type: string;
  @Text({ about: 'The code in words.', example: 'The request is not valid' }) title: string;
  @Integer({ about: 'The HTTP status.', min: 400, max: 599, example: 400 }) status: number;
  @Text({ about: 'What happened this time.', example: 'periodEnd must be a calendar date that exists, like 2026-02-28.' }) detail: string;
  @OneOf(Object.keys(PROBLEMS), {
    about: 'What happened, for programs. Codes never change their meaning; new ones are added.',
    example: 'validation_failed',
  })
  code: ProblemCode;
  @Text({ about: 'Names this call in our log.', example: '0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d21' }) requestId: string;
  @OneOf(['never', 'same_key', 'later'], {
    about: 'What a program should do: give up, repeat with the same Idempotency-Key, or repeat after a while.',
  })
  retry: Retry;
  @ListOf(FieldErrorDto, { about: 'The values that are not as they must be; empty where none is to blame.' })
  errors: FieldErrorDto[];
}
