import {
  CalendarDate,
  Flag,
  Integer,
  ListOf,
  Nested,
  OneOf,
  OneOfSoFar,
  OR_NULL,
  Text,
  TextList,
  Uuid,
  UuidList,
} from '../../api/validation/fields.js';
import { MAX_RATES_LISTED } from './engine/inputs.js';
import { OUTPUT_FORMATS, type OutputFormat } from '../rules/index.js';
import type { Certainty } from '../statements/index.js';

export class ClaimReportProgressDto {
  @Integer({ about: 'The bank statements that the run reads.', min: 0, example: 12 }) statements: number;
  @Integer({ about: 'Those that it has read.', min: 0, example: 3 }) statementsRead: number;
  @Integer({ about: 'The lines that it has read.', min: 0, example: 1840 }) linesRead: number;
  @Integer({ about: 'The files that it has written.', min: 0, example: 0 }) filesWritten: number;
}

export const EVIDENCE_STATUSES = ['covered', 'partial', 'missing'] as const;

/** Written again, because threads that compute results do not load the module of statements. */
const CERTAINTIES = ['proven', 'plausible', 'doubtful'] as const satisfies readonly Certainty[];

const MONTH = { about: 'Calendar month.', example: '2026-03' };
/** Amounts are exact decimals as text, in the currency of the run. */
export class AmountsDto {
  @Integer({ about: 'Number of lines.', min: 0, example: 12 }) count: number;
  @Text({ about: 'Money out.', example: '1290.40' }) gross: string;
  @Text({ about: 'Money in.', example: '40.40' }) refunds: string;
  @Text({ about: '`gross` minus `refunds`.', example: '1250.00' }) net: string;
  @Text({ about: 'The claimable part of `net`, rounded once per category and month.', example: '1250.00' })
  claimable: string;
  @Text({ about: 'The tax in `claimable`; absent unless a rule has `taxPercent`.', example: '199.58', optional: true })
  claimableTax?: string;
  @Text({ about: '`claimable` minus `claimableTax`.', example: '1050.42', optional: true })
  claimableNet?: string;
}

export class ClaimReportMonthDto extends AmountsDto {
  @Text(MONTH) month: string;
}

export class ClaimReportTotalsDto extends AmountsDto {
  @Text({ about: 'The part of `net` that no category claims.', example: '310.15' }) uncategorised: string;
}

export class ClaimReportCategoryDto extends AmountsDto {
  @Text({ about: 'Code of the category.', example: 'TRAVEL-RAIL' }) code: string;
  @Text({ about: 'Name of the category.', example: 'Rail travel' }) name: string;
  @ListOf(ClaimReportMonthDto, { about: 'The months with lines of the category; they add up to its amounts.' })
  months: ClaimReportMonthDto[];
}

export class ClaimReportLinePlaceDto {
  @Uuid({ about: 'The bank statement.' }) statementId: string;
  @Integer({ about: 'Number of the line in it, from 1.', min: 1, example: 12 }) lineNumber: number;
}

const COUNTERPARTY = 'Token of the other party: `PERSON-…` as in rules, or `COMPANY-…` for a name that stays readable in lines';

export class ClaimReportUnclaimedLineDto extends ClaimReportLinePlaceDto {
  @Text({ about: 'Negative for money out.', example: '-310.15' }) amount: string;
  @Text({ about: `${COUNTERPARTY}; \`null\` if the line has none.`, nullable: true, example: 'COMPANY-7Q2M4XKD9ABC' })
  counterparty: string | null;
}

export class ClaimReportUnclaimedCounterpartyDto {
  @Text({ about: `${COUNTERPARTY}.`, example: 'COMPANY-7Q2M4XKD9ABC' }) counterparty: string;
  @Integer({ about: 'Number of lines.', min: 2, example: 12 }) count: number;
  @Text({ about: 'Money out minus money in.', example: '310.15' }) net: string;
  @Nested(ClaimReportLinePlaceDto, { about: 'The first of the lines.' }) example: ClaimReportLinePlaceDto;
}

export class ClaimReportUncategorisedDto {
  @Integer({ about: 'Number of lines, or of parts of split lines, that no category claims.', min: 0, example: 3 }) count: number;
  @Text({ about: 'Money out minus money in of these lines.', example: '310.15' }) net: string;
  @Integer({
    about: 'How many of them a person has decided not to claim; absent if none. An addition.',
    min: 1,
    optional: true,
    example: 1,
  })
  decidedCount?: number;
  @Text({ about: 'Money out minus money in of these.', optional: true, example: '12.50' }) decidedNet?: string;
  @ListOf(ClaimReportUnclaimedLineDto, { about: 'The 20 largest of these lines, to see which rule is missing.', optional: true })
  largest?: ClaimReportUnclaimedLineDto[];
  @ListOf(ClaimReportUnclaimedCounterpartyDto, {
    about: 'The 20 counterparties of several of these lines with the most money.',
    optional: true,
  })
  counterparties?: ClaimReportUnclaimedCounterpartyDto[];
}

export class ClaimReportOtherCurrencyDto {
  @Text({ about: 'ISO 4217 code; `null` for lines of statements without a currency.', nullable: true, example: 'USD' })
  currency: string | null;
  @Integer({ about: 'Number of lines.', min: 0, example: 2 }) count: number;
  @Text({ about: 'Money out, in that currency.', example: '80.00' }) gross: string;
  @Text({ about: 'Money in.', example: '0.00' }) refunds: string;
  @Text({ about: '`gross` minus `refunds`.', example: '80.00' }) net: string;
}

export class ClaimReportConvertedCurrencyDto {
  @Text({ about: 'ISO 4217 code of the lines.', example: 'USD' }) currency: string;
  @Integer({ about: 'Number of converted lines.', min: 1, example: 2 }) count: number;
  @Text({ about: 'Money out minus money in, in that currency.', example: '80.00' }) net: string;
  @Text({ about: 'The same in the currency of the report: the sum of the lines, each rounded once.', example: '73.70' })
  converted: string;
}

export class ClaimReportRateDto {
  @Text({ about: 'ISO 4217 code of the lines.', example: 'USD' }) currency: string;
  @Text({ about: 'The month, day or period that the rate is for.', example: '2026-03' }) rateFor: string;
  @Text({ about: 'What one unit is worth in the currency of the report.', example: '0.9213' }) rate: string;
  @Integer({ about: 'Number of lines that were converted with it.', min: 1, example: 2 }) count: number;
}

export class ClaimReportConversionsDto {
  @Text({ about: 'Where the rates are from.', example: 'Monthly rates of the tax office' }) source: string;
  @ListOf(ClaimReportConvertedCurrencyDto, { about: 'Converted lines by currency. They are in the totals.' })
  currencies: ClaimReportConvertedCurrencyDto[];
  @ListOf(ClaimReportRateDto, { about: `The rates that were used, at most ${MAX_RATES_LISTED}.` }) rates: ClaimReportRateDto[];
  @Integer({ about: 'Number of further rates that were used.', min: 0, example: 0 }) ratesNotListed: number;
}

export class ClaimReportFormLineDto {
  @Text({ about: 'Its name within the form.', example: 'travel' }) id: string;
  @Text({ about: 'What the form calls it.', nullable: true, example: 'C.1' }) number: string | null;
  @Text({ about: 'Its words in the form.', example: 'Travel and subsistence' }) label: string;
  @Text({ about: 'What stands on it if it is no amount; `null` if nothing does.', nullable: true, example: null }) value: string | null;
  @Text({ about: 'The amount that stands on it.', nullable: true, example: '1250.00' }) amount: string | null;
  @Text({ about: 'The amount before it was rounded and capped; absent if it was not changed.', optional: true, example: '1250.40' })
  computed?: string;
  @Text({ about: 'The cap, if the line has one.', optional: true, example: '1250.00' }) atMost?: string;
  @Text({ about: 'The share of other lines that it is.', optional: true, example: '25' }) percent?: string;
  @TextList({ about: 'Codes of the categories whose claims stand on it.', optional: true, example: ['TRAVEL-RAIL'] })
  categories?: string[];
  @Text({ about: 'What has to be at hand for it.', nullable: true, example: 'Invoices' }) evidence: string | null;
}

export class ClaimReportFormSectionDto {
  @Text({ about: 'Its heading.', example: 'C. Purchase costs' }) title: string;
  @ListOf(ClaimReportFormLineDto, { about: 'Its lines, in the order of the form.' }) lines: ClaimReportFormLineDto[];
}

export class ClaimReportFormDto {
  @Text({ about: 'What it is called.', example: 'Financial statement of an EU grant' }) name: string;
  @Text({ about: 'Which edition of the form.', example: 'Horizon Europe 1.1' }) edition: string;
  @Text({ about: 'Who publishes it.', example: 'European Commission' }) source: string;
  @Text({ about: 'What is claimed on it.', example: '1250.00' }) total: string;
  @Text({ about: 'Claims of categories that have no line on it.', example: '0.00' }) notOnForm: string;
  @ListOf(ClaimReportFormSectionDto, { about: 'Its sections.' }) sections: ClaimReportFormSectionDto[];
}

export class ClaimReportEvidenceMonthDto {
  @Text(MONTH) month: string;
  @OneOf(EVIDENCE_STATUSES, { about: 'Whether statements cover all days of the month within the period, some of them, or none.' })
  status: (typeof EVIDENCE_STATUSES)[number];
  @UuidList({ about: 'The statements that cover days of the month.' }) statementIds: string[];
}

export class ClaimReportEvidenceDto {
  @Text({ about: 'Percentage of the days of the period that statements cover.', example: '100.0' }) coveragePercent: string;
  @ListOf(ClaimReportEvidenceMonthDto, { about: 'Every month of the period.' }) months: ClaimReportEvidenceMonthDto[];
}

export class ClaimReportControlDto {
  @Text({ about: 'Name of the control.', example: 'categories_and_uncategorised_make_net' }) name: string;
  @Text({ about: 'Expected value.', example: '1560.15' }) expected: string;
  @Text({ about: 'Actual value.', example: '1560.15' }) actual: string;
  @Flag({ about: 'Whether the two are equal.', example: true }) ok: boolean;
}

export class ClaimReportWarningDto {
  @Text({ about: 'Kind of warning.', example: 'claimed_by_several' }) code: string;
  @Text({ about: 'What to check. Never contains the content of a line.', example: '4 lines of TRAVEL-RAIL also match TRAVEL-AIR.' })
  message: string;
}

export class ClaimReportStatementDto {
  @Uuid({ about: 'The bank statement.' }) id: string;
  @Text({ about: 'SHA-256 of the file that was imported.', example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' })
  sha256: string;
  @OneOf(CERTAINTIES, { about: 'How sure its lines are; null or absent if that is not known.', ...OR_NULL, example: 'proven' })
  certainty?: Certainty | null;
  @Integer({ about: 'Number of lines of the statement.', min: 0, example: 120 }) linesRead: number;
  @Integer({ about: 'Number of its lines that are in the totals.', min: 0, example: 118 }) linesUsed: number;
  @Integer({ about: 'Number of its lines that an earlier statement has as well. They are counted there.', min: 0, example: 2 })
  duplicates: number;
}

export class ClaimReportReceiptDto {
  @Text({ about: 'What files call it.', example: 'R1' }) reference: string;
  @Text({ about: 'The name of the file.', example: 'invoice-2041.pdf' }) fileName: string;
  @Text({ about: 'What the file is, by its content.', example: 'application/pdf' }) mediaType: string;
  @Integer({ about: 'Size of the file in bytes.', min: 0, example: 20481 }) sizeBytes: number;
  @Text({ about: 'SHA-256 of the file.', example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' }) sha256: string;
}

export class ClaimReportOutputDto {
  @OneOfSoFar(() => OUTPUT_FORMATS, { about: 'File format; `claim_reports.download` returns the file.', example: 'json' })
  format: OutputFormat;
  @Integer({ about: 'Size of the file in bytes.', min: 0, example: 20481 }) bytes: number;
  @Text({ about: 'SHA-256 of the file.', example: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae' }) sha256: string;
}

export class ClaimReportPeriodDto {
  @CalendarDate({ about: 'First day.', example: '2026-01-01' }) start: string;
  @CalendarDate({ about: 'Last day.', example: '2026-12-31' }) end: string;
}

export class ClaimReportResultDto {
  @OneOf(['claim-report/1'], { about: 'Version of the fields of this result.' }) schema: 'claim-report/1';
  @Text({ about: 'Version of the engine. The same inputs and version give the same result.', example: '1.0.0' })
  engineVersion: string;
  @Text({
    about: 'SHA-256 of everything that the result was computed from.',
    example: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
  })
  inputsHash: string;
  @ListOf(ClaimReportWarningDto, {
    about:
      'What to check before the claim is sent. Those that say that no bank statement was read come first: then the figures mean nothing.',
  })
  warnings: ClaimReportWarningDto[];
  @Nested(ClaimReportPeriodDto, {
    about: 'The period of the configuration, else of the project, else of the statements; `null` if none of them has one.',
    nullable: true,
  })
  period: ClaimReportPeriodDto | null;
  @Text({ about: 'ISO 4217 code of the amounts; `null` if no statement names a currency.', nullable: true, example: 'EUR' })
  currency: string | null;
  @Nested(ClaimReportTotalsDto, { about: 'All lines of the period in this currency, claimed or not.' }) totals: ClaimReportTotalsDto;
  @ListOf(ClaimReportCategoryDto, { about: 'Every category that took part, sorted by code.' }) categories: ClaimReportCategoryDto[];
  @ListOf(ClaimReportMonthDto, { about: 'The months with lines, claimed or not.' }) months: ClaimReportMonthDto[];
  @Nested(ClaimReportUncategorisedDto, { about: 'Lines that no category claims.' }) uncategorised: ClaimReportUncategorisedDto;
  @ListOf(ClaimReportOtherCurrencyDto, { about: 'Lines in other currencies. They are not in the totals.' })
  otherCurrencies: ClaimReportOtherCurrencyDto[];
  @Nested(ClaimReportConversionsDto, { about: 'Lines that were converted, and the rates; absent if none was.', optional: true })
  conversions?: ClaimReportConversionsDto;
  @Nested(ClaimReportFormDto, { about: 'The claim as its form has it; absent without one. An addition.', optional: true })
  form?: ClaimReportFormDto;
  @Nested(ClaimReportEvidenceDto, { about: 'How much of the period the statements cover.' }) evidence: ClaimReportEvidenceDto;
  @ListOf(ClaimReportControlDto, { about: 'Sums that must be equal.' }) controls: ClaimReportControlDto[];
  @ListOf(ClaimReportStatementDto, { about: 'The statements that were read.' }) statements: ClaimReportStatementDto[];
  @ListOf(ClaimReportReceiptDto, { about: 'The receipts of its lines, items and project; absent if there are none.', optional: true })
  receipts?: ClaimReportReceiptDto[];
  @ListOf(ClaimReportOutputDto, { about: 'The files that were made.' }) outputs: ClaimReportOutputDto[];
}

/** A result before its files are made. */
export type Computed = Omit<ClaimReportResultDto, 'outputs'>;
