import { ProcessingFailureDto } from '../../api/dto/failure.dto.js';
import type { Failure } from '../../kernel/failure.js';
import { pick } from '../../kernel/changes.js';
import { RecordPageQuery, RecordDto, shownFields } from '../../api/dto/page.js';
import { CustomFields } from '../../api/validation/custom-fields.js';
import { fieldsOf } from '../../api/validation/field.js';
import {
  CalendarDate,
  Currency,
  Flag,
  Integer,
  IntegersByName,
  ListOf,
  Money,
  Nested,
  OneOf,
  OneOfSoFar,
  OR_NULL,
  Text,
  Timestamp,
  Uuid,
  Without,
} from '../../api/validation/fields.js';
import type { FileForm } from '../../api/operation/operation.js';
import type { SentFile } from '../../api/validation/read-files.js';
import { MAX_FILE_BYTES, MAX_TEXT_LENGTH, type ReadingWarning } from '../../../tools/bank-files/index.js';
import { CERTAINTIES, type Certainty } from './formats/certainty.js';
import { type StatementFormat } from './formats/statement-reading.js';
import { statementFormats } from './formats/statement-reader.js';
import { REDACTION_STATUSES, BankStatement, type Redaction, type RedactionStatus } from './statement.entity.js';

/** More are a file: a JSON object on each line. */
const MAX_FEED_BOOKINGS = 5000;

export class ListBankStatementsQuery extends RecordPageQuery {
  @Text({ about: 'Case-insensitive substring of the file name or of the account.', max: 200, optional: true, example: 'january' })
  search?: string;

  @Uuid({ about: 'Only statements of this claim project.', optional: true })
  project_id?: string;

  @OneOf(REDACTION_STATUSES, { about: 'Only statements with this redaction status.', optional: true, example: 'succeeded' })
  redaction_status?: RedactionStatus;

  @OneOf(CERTAINTIES, { about: 'Only statements that were read with this certainty. An addition.', optional: true, example: 'doubtful' })
  certainty?: Certainty;
}

export class BankStatementBookingDto {
  @CalendarDate({ about: 'The day of the booking.', example: '2026-01-15' }) bookedOn: string;
  @Money({ about: 'An exact decimal; negative for money out.', example: '-12.50' }) amount: string;
  @Text({
    about: 'What the bank says of it. Names and numbers are masked before it is stored.',
    max: MAX_TEXT_LENGTH,
    example: 'Train to Berlin',
  })
  description: string;
  @Text({ about: 'The name of the other party. It is masked.', max: MAX_TEXT_LENGTH, ...OR_NULL, example: 'Rail' })
  counterparty?: string | null;
  @Text({ about: 'The account of the other party. It is masked.', max: 100, ...OR_NULL, example: 'DE75512108001245126199' })
  counterpartyAccount?: string | null;
  @Text({ about: 'The reference of the payer or the payee.', max: MAX_TEXT_LENGTH, ...OR_NULL, example: 'INV-2041' })
  reference?: string | null;
  @Text({
    about: 'The id of the bank: bookings with the same one are the same.',
    max: MAX_TEXT_LENGTH,
    ...OR_NULL,
    example: 'b-20260115-1',
  })
  bankReference?: string | null;
}

/** What both a feed and a file may say. */
class ImportedStatementDto {
  @Uuid({ about: 'The claim project that the statement belongs to; `null` for none.', ...OR_NULL })
  projectId?: string | null;
  @Text({ about: 'The number of the account. It is masked.', max: 100, ...OR_NULL, example: 'DE02120300000000202051' })
  account?: string | null;
  @CalendarDate({ about: 'First day of the statement. Given with its last day.', ...OR_NULL, example: '2026-01-01' })
  periodStart?: string | null;
  @CalendarDate({ about: 'Last day of the statement.', ...OR_NULL, example: '2026-01-31' })
  periodEnd?: string | null;
}

/** A statement that a program has made of what a bank told it. */
export class CreateBankStatementDto extends ImportedStatementDto {
  @Text({ about: 'What the statement is called.', min: 1, max: 200, optional: true, default: 'bank_feed', example: 'January' })
  fileName?: string;
  @Currency({ about: 'The currency of the account.' }) currency: string;
  @Money({ about: 'The balance before the first booking. With the closing balance it proves the bookings.', ...OR_NULL, example: '100.00' })
  openingBalance?: string | null;
  @Money({ about: 'The balance after the last booking.', ...OR_NULL, example: '87.50' }) closingBalance?: string | null;
  @ListOf(BankStatementBookingDto, { about: 'The bookings, in the order of the bank.', min: 1, max: MAX_FEED_BOOKINGS })
  lines: BankStatementBookingDto[];
}

/** What is said of a file, where the file does not say it itself. */
export class BankStatementFileDto extends ImportedStatementDto {
  @Text({
    about: 'What the statement is called; the name of the file unless said.',
    min: 1,
    max: 200,
    optional: true,
    example: 'january.csv',
  })
  fileName?: string;
  @Currency({ about: 'The currency of lines that name none.', optional: true }) currency?: string;
  @Flag({ about: 'Whether amounts without a sign are money out, as cards write charges.', optional: true, default: false, example: false })
  isInverted?: boolean;
  @Text({ about: 'The name of the layout by which its table is read.', min: 1, max: 200, optional: true, example: 'My bank' })
  layout?: string;
  readonly file: SentFile;
}

export const STATEMENT_FORM: FileForm = {
  fields: BankStatementFileDto,
  maxBytes: MAX_FILE_BYTES,
  example: 'Date,Description,Amount,Currency\n2026-01-15,Train to Berlin,-12.50,EUR\n',
};

export class UpdateBankStatementDto {
  @Uuid({ about: 'The claim project that the statement belongs to from now on; `null` for none.', ...OR_NULL })
  projectId?: string | null;
}

export class BankStatementRedactionDto implements Redaction {
  @Text({ about: 'Version of the redaction.', example: '1.0.0' }) engineVersion: string;
  @Timestamp({ about: 'When redaction started.' }) startedAt: string;
  @Timestamp({ about: 'When redaction finished.' }) finishedAt: string;
  @IntegersByName({ about: 'Number of masked occurrences of each kind.', example: { iban: 12, person: 9 } })
  counts: Record<string, number>;
}

export class BankStatementWarningDto implements ReadingWarning {
  @Text({ about: 'Kind of warning.', example: 'currency_unknown' }) code: string;
  @Text({ about: 'What to check. Never contains the content of a line.', example: 'The file names no currency.' }) message: string;
}

export class BankStatementDto extends RecordDto {
  @Uuid({ about: 'The claim project that the statement belongs to.', nullable: true }) projectId: string | null;
  @Text({ about: 'Name of the imported file, redacted: names of people and numbers are replaced by tokens.', example: 'january.csv' })
  fileName: string;
  @OneOfSoFar(statementFormats, { about: 'Format of the file; `null` until it was read.', nullable: true, example: 'csv' })
  format: StatementFormat | null;
  @Integer({ about: 'Size of the file in bytes.', min: 0, example: 20481 }) sizeBytes: number;
  @Text({ about: 'SHA-256 of the file, in hex.', example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' })
  sha256: string;
  @Text({ about: 'The account, masked except for its last characters.', nullable: true, example: '•••• 3000' }) accountLabel: string | null;
  @Text({ about: 'ISO 4217 code; `null` if the statement has no currency or several.', nullable: true, example: 'EUR' })
  currency: string | null;
  @CalendarDate({ about: 'First day of the statement.', nullable: true, example: '2026-01-01' }) periodStart: string | null;
  @CalendarDate({ about: 'Last day of the statement.', nullable: true, example: '2026-01-31' }) periodEnd: string | null;
  @Integer({ about: 'Number of lines.', min: 0, nullable: true, example: 120 }) lineCount: number | null;
  @OneOf(REDACTION_STATUSES, {
    about: 'Status of the redaction; `skipped` if the statement was imported as already redacted.',
    example: 'succeeded',
  })
  redactionStatus: RedactionStatus;
  @Nested(BankStatementRedactionDto, { about: 'The result of redaction; `null` unless it succeeded.', nullable: true })
  redaction: Redaction | null;
  @Nested(ProcessingFailureDto, { about: 'Why redaction failed; otherwise `null`.', nullable: true }) failure: Failure | null;
  @ListOf(BankStatementWarningDto, {
    about: 'What to check before relying on the statement; reports that use it repeat the warnings. An addition.',
  })
  warnings: readonly ReadingWarning[];
  @OneOf(CERTAINTIES, {
    about:
      'How sure it is that its lines are those of the bank: `proven` if balances prove them, `plausible` if nothing contradicts them, ' +
      '`doubtful` if a warning does; `null` until it was read. An addition.',
    nullable: true,
    example: 'proven',
  })
  certainty: Certainty | null;
  @Timestamp({
    about: 'When the lines and the file were removed because their retention ended; `null` while they are kept.',
    nullable: true,
  })
  contentRemovedAt: string | null;

  static from(row: BankStatement): BankStatementDto {
    return BANK_STATEMENT_FIELDS.answered(pick(row, SHOWN), row);
  }
}

export const BANK_STATEMENT_FIELDS = new CustomFields({
  table: 'bank_statements',
  entity: BankStatement,
  inputs: [ImportedStatementDto, UpdateBankStatementDto],
  answers: [BankStatementDto],
  list: ListBankStatementsQuery,
});

/** Without what only a statement that is kept has. */
const OF_FILE = Without(BankStatementDto, ['projectId', 'redactionStatus', 'redaction', 'contentRemovedAt']);

export class BankStatementCheckDto extends OF_FILE {
  @IntegersByName({ about: 'How many occurrences of each kind would be masked.', example: { iban: 12, person: 9 } })
  maskedCounts: Record<string, number>;

  static from(checked: BankStatement & { readonly maskedCounts: Readonly<Record<string, number>> }): BankStatementCheckDto {
    return pick(checked, SHOWN_OF_FILE);
  }
}

const SHOWN = shownFields(BankStatementDto);
const SHOWN_OF_FILE = [...fieldsOf(BankStatementCheckDto.prototype).keys()] as (keyof BankStatementCheckDto)[];
