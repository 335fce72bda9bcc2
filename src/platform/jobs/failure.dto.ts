import { Text } from '../validation/fields.js';

/** Why a worker could not do what it was to do. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

export class FailureDto implements Failure {
  @Text({ about: 'What kind of failure.', example: 'worker_lost' }) code: string;
  @Text({ about: 'What happened, and where to look.', example: 'Three workers were lost while they worked on it.' }) message: string;
}
