import type { Type } from '@nestjs/common';
import { ENVIRONMENTS, type Environment } from '../../kernel/context.js';
import { fieldsOf } from '../validation/field.js';
import { OneOf, Timestamp, Uuid } from '../validation/fields.js';

export class RecordDto {
  @Uuid({ about: 'Id of the record. Ids are ordered by time: newer records have greater ids.' }) id: string;
  @OneOf(ENVIRONMENTS, { about: 'The environment that the record belongs to.' }) environment: Environment;
  @Timestamp({ about: 'When the record was created.' }) createdAt: string;
  @Timestamp({ about: 'When the record was last changed.' }) updatedAt: string;
}

/** The fields of a class of answers in the order in which they are shown: the times of the record come last. */
export function shownFields<Answer extends RecordDto>(type: Type<Answer>): (keyof Answer)[] {
  const own = [...fieldsOf(type.prototype as object).keys()].filter(
    (name) => !['id', 'environment', 'createdAt', 'updatedAt'].includes(name),
  );
  return ['id', 'environment', ...own, 'createdAt', 'updatedAt'] as (keyof Answer)[];
}
