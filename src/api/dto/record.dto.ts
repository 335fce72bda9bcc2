import { ENVIRONMENTS, type Environment } from '../../kernel/context.js';
import { OneOf, Timestamp, Uuid } from '../validation/fields.js';

export class RecordDto {
  @Uuid({ about: 'Id of the record. Ids are ordered by time: newer records have greater ids.' }) id: string;
  @OneOf(ENVIRONMENTS, { about: 'The environment that the record belongs to.' }) environment: Environment;
  @Timestamp({ about: 'When the record was created.' }) createdAt: string;
  @Timestamp({ about: 'When the record was last changed.' }) updatedAt: string;
}
