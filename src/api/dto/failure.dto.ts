import type { Failure } from '../../kernel/failure.js';
import { Text } from '../validation/fields.js';

export class ProcessingFailureDto implements Failure {
  @Text({ about: 'The kind of failure.', example: 'worker_lost' }) code: string;
  @Text({
    about: 'What happened, and where.',
    example: 'Given up after 3 workers stopped responding. Contact support if it happens again.',
  })
  message: string;
}
