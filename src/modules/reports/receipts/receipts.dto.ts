import { RecordPageQuery, RecordDto } from '../../../api/dto/page.js';
import type { FileForm } from '../../../api/operation/operation.js';
import { CustomFields } from '../../../api/validation/custom-fields.js';
import { fieldsOf } from '../../../api/validation/field.js';
import { Integer, Matching, Money, NULL_BY_DEFAULT, OneOf, OneOfSoFar, OR_NULL, Text, Uuid } from '../../../api/validation/fields.js';
import { MIB, type SentFile } from '../../../api/validation/read-files.js';
import { pick } from '../../../kernel/changes.js';
import { Receipt, RECEIPT_STATUSES } from './receipt.entity.js';
import { RECEIPT_TYPES } from './receipt-types.js';

export const MAX_NAME = 200;
const MAX_FILE_BYTES = 10 * MIB;
/** In Base64, with the other fields in the bound of a body. */
const MAX_CONTENT = 1_000_000;
const A_MAIL = 'From: shop@example.com\nDate: Thu, 15 Jan 2026 09:00:00 +0000\nSubject: Invoice 2041\n\nTrain to Berlin: EUR 12.50\n';
const TAX = { ...NULL_BY_DEFAULT, example: null, people: { label: 'Tax' } } as const;
const NOTE = { about: 'A note for colleagues. No file shows it.', max: 2000, ...NULL_BY_DEFAULT } as const;
const NAME = { min: 1, max: MAX_NAME } as const;

class SaidReceiptDto {
  @Uuid({ about: 'The claim project that it belongs to; or its line or item, which have one.', ...OR_NULL }) projectId?: string | null;
  @Uuid({ about: 'The claim line that it is for. It stays with the booking in later runs.', ...OR_NULL, example: null })
  claimLineId?: string | null;
  @Uuid({ about: 'The claim item that it is for.', ...OR_NULL, example: null }) claimItemId?: string | null;
  @Money({ about: 'The tax that it states, in the currency of its line or item. Reports have it instead of a percentage.', ...TAX })
  taxAmount?: string | null;
  @Text({ ...NOTE, example: 'By mail from the hotel' }) note?: string | null;
}

export class CreateReceiptDto extends SaidReceiptDto {
  @Text({ about: 'The name of the file.', ...NAME, example: 'invoice-2041.eml' }) fileName: string;
  @Matching(/[A-Za-z0-9+/]+={0,2}/, {
    about: 'The file in Base64. A larger one is sent as a form.',
    max: MAX_CONTENT,
    expected: 'a file in Base64',
    example: Buffer.from(A_MAIL).toString('base64'),
  })
  content: string;
}

/** What is said of a file that is sent as a form. */
export class ReceiptFileDto extends SaidReceiptDto {
  @Text({ about: 'The name of the file, if it is another than the one it is sent with.', ...NAME, optional: true, example: 'invoice.pdf' })
  fileName?: string;
  readonly file: SentFile;
}

export type SaidReceipt = CreateReceiptDto | ReceiptFileDto;
export const RECEIPT_FORM: FileForm = { fields: ReceiptFileDto, maxBytes: MAX_FILE_BYTES, example: A_MAIL };

export class UpdateReceiptDto {
  @Money({ about: 'The tax that it states; `null` for none.', ...TAX, default: undefined }) taxAmount?: string | null;
  @Text({ ...NOTE, default: undefined, example: 'Sent again by the hotel' }) note?: string | null;
  @OneOf(['withdrawn'], { about: 'Later runs do not have it, and its file is removed. It stays withdrawn.', optional: true })
  status?: 'withdrawn';
}

export class ListReceiptsQuery extends RecordPageQuery {
  @Uuid({ about: 'Only receipts of this claim project.', optional: true }) project_id?: string;
  @Uuid({ about: 'Only receipts of the booking of this claim line.', optional: true }) claim_line_id?: string;
  @Uuid({ about: 'Only receipts of this claim item.', optional: true }) claim_item_id?: string;
  @OneOf(RECEIPT_STATUSES, { about: 'Only receipts with this status.', optional: true, example: 'active' }) status?: Receipt['status'];
}

export class ReceiptDto extends RecordDto {
  @Uuid({ about: 'The claim project that it, its line or its item belonged to when it was entered.', nullable: true })
  projectId: string | null;
  @Uuid({ about: 'The claim item that it is for.', nullable: true }) claimItemId: string | null;
  @Uuid({ about: 'The claim line that it was entered for. Later runs have another one for its booking.', nullable: true })
  claimLineId: string | null;
  @Uuid({ about: 'The bank statement that had the line.', nullable: true }) statementId: string | null;
  @Text({ about: 'The name of the file.', example: 'invoice-2041.eml' }) fileName: string;
  @OneOfSoFar(RECEIPT_TYPES, { about: 'What the file is, by its content.', example: 'message/rfc822' }) mediaType: string;
  @Integer({ about: 'Size of the file in bytes.', min: 0, example: 20481 }) sizeBytes: number;
  @Text({ about: 'SHA-256 of the file, in hex.', example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' })
  sha256: string;
  @Money({ about: 'The tax that it states.', nullable: true, example: '2.00' }) taxAmount: string | null;
  @Text({ about: 'A note for colleagues.', nullable: true, example: 'By mail from the hotel' }) note: string | null;
  @OneOf(RECEIPT_STATUSES, { about: 'Runs have those that are `active`.', example: 'active' }) status: Receipt['status'];

  static from(row: Receipt): ReceiptDto {
    return RECEIPT_FIELDS.answered(pick(row, SHOWN), row);
  }
}

export const RECEIPT_FIELDS = new CustomFields({
  table: 'receipts',
  entity: Receipt,
  inputs: [SaidReceiptDto, UpdateReceiptDto],
  answers: [ReceiptDto],
  list: ListReceiptsQuery,
});

const SHOWN = [...fieldsOf(ReceiptDto.prototype).keys()] as (keyof ReceiptDto)[];
