import { Integer } from '../../api/validation/fields.js';

export class ClaimReportProgressDto {
  @Integer({ about: 'The bank statements that the run reads.', min: 0, example: 12 }) statements: number;
  @Integer({ about: 'Those that it has read.', min: 0, example: 3 }) statementsRead: number;
  @Integer({ about: 'The lines that it has read.', min: 0, example: 1840 }) linesRead: number;
  @Integer({ about: 'The files that it has written.', min: 0, example: 0 }) filesWritten: number;
}
