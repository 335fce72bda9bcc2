import { Flag, Integer, OneOf, OneOfSoFar, Text, Timestamp } from '../../../api/validation/fields.js';
import { OUTPUT_FORMATS, type OutputFormat } from '../../rules/index.js';

const A_DAY = 24 * 60;

export class CreateClaimReportLinkDto {
  @OneOf(() => OUTPUT_FORMATS, { about: 'The file of the run.', example: 'json' }) format: OutputFormat;
  @Integer({ about: 'For how many minutes the link opens it.', min: 1, max: A_DAY, optional: true, default: 15, example: 15 })
  minutes?: number;
  @Flag({ about: 'Whether it can be downloaded a single time.', optional: true, default: false, example: false }) isOnce?: boolean;
}

export class ClaimReportLinkDto {
  @OneOfSoFar(() => OUTPUT_FORMATS, { about: 'The file of the run.', example: 'json' }) format: OutputFormat;
  @Text({
    about: 'A page with the file. The address alone opens it, without an account: give it only to the person who should have the file.',
    example: '/files/file_AbCd',
  })
  address: string;
  @Timestamp({ about: 'Until when it opens the file.' }) expiresAt: string;
  @Flag({ about: 'Whether it can be downloaded a single time.', example: false }) isOnce: boolean;
}
