import { ProblemDto } from '../../api/dto/problem.dto.js';
import { batchedOperations } from '../../api/operation/operation.js';
import { field, firstOf, FreeFormObject, Integer, ListOf, Nested, OneOf, wrongLength, wrongType } from '../../api/validation/fields.js';
import type { FreeForm } from '../../kernel/json.js';
import type { problemBody } from '../../kernel/problems.js';

const MAX_ITEMS = 100;
const EXAMPLE = [{ code: 'TRAVEL-RAIL', name: 'Rail travel', sourceMapping: {} }];

const isObject = (item: unknown): boolean => typeof item === 'object' && item !== null && !Array.isArray(item);

export class CreateBatchDto {
  @OneOf(batchedOperations, { about: 'The operation that is called with each item.', grows: true, example: 'expense_categories.create' })
  operation: string;

  @field({
    about: { about: 'The bodies of the calls. What is wrong with one is said in its answer.', example: EXAMPLE },
    schema: { type: 'array', items: { type: 'object', additionalProperties: true }, minItems: 1, maxItems: MAX_ITEMS },
    check: (items) => {
      if (!Array.isArray(items)) return wrongType('a list of objects');
      return wrongLength(items, 1, MAX_ITEMS) ?? firstOf(items, (item) => (isObject(item) ? undefined : wrongType('an object')));
    },
  })
  items: FreeForm[];
}

export class BatchItemDto {
  @Integer({ about: 'Which item it is, from 0.', min: 0, example: 0 }) index: number;
  @Integer({ about: 'The status that the call would have had alone.', min: 200, max: 599, example: 201 }) status: number;
  @FreeFormObject({ about: 'The record, as the operation answers; `null` if the item was refused.', nullable: true, example: EXAMPLE[0] })
  record: FreeForm | null;
  @Nested(ProblemDto, { about: 'Why the item was refused; `null` if it was not.', nullable: true, example: null })
  problem: ReturnType<typeof problemBody> | null;
}

export class BatchDto {
  @Integer({ about: 'How many items were done.', min: 0, example: 1 }) succeeded: number;
  @Integer({ about: 'How many were refused, or failed.', min: 0, example: 0 }) failed: number;
  @ListOf(BatchItemDto, { about: 'What became of each item, in their order.' }) items: BatchItemDto[];
}
