import { CalendarDate, Flag, Integer, ListOf, Nested, OneOf, Text, Uuid, UuidList } from '../../api/validation/fields.js';

export const OUTPUT_FORMATS = ['json', 'csv', 'xlsx', 'pdf'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];
export const EVIDENCE_STATUSES = ['covered', 'partial', 'missing'] as const;

const MONTH = { about: 'Calendar month.', example: '2026-03' };
/** Amounts are exact decimals as text, in the run's currency. */
export class AmountsDto {
  @Integer({ about: 'How many lines.', min: 0, example: 12 }) count: number;
  @Text({ about: 'Money out.', example: '1290.40' }) gross: string;
  @Text({ about: 'Money that came back in.', example: '40.40' }) refunds: string;
  @Text({ about: '`gross` less `refunds`.', example: '1250.00' }) net: string;
  @Text({ about: 'The part of `net` that may be claimed, rounded once for each category and month.', example: '1250.00' })
  claimable: string;
}

export class MonthDto extends AmountsDto {
  @Text(MONTH) month: string;
}

export class TotalsDto extends AmountsDto {
  @Text({ about: 'The part of `net` that no category claims.', example: '310.15' }) uncategorised: string;
}

export class CategoryResultDto extends AmountsDto {
  @Text({ about: 'Code of the category.', example: 'TRAVEL-RAIL' }) code: string;
  @Text({ about: 'Name of the category.', example: 'Rail travel' }) name: string;
  @ListOf(MonthDto, { about: 'The months in which it has lines; they add up to the category.' }) months: MonthDto[];
}

export class UncategorisedDto {
  @Integer({ about: 'How many lines no category claims.', min: 0, example: 3 }) count: number;
  @Text({ about: 'Their money out less money in.', example: '310.15' }) net: string;
}

export class OtherCurrencyDto {
  @Text({ about: 'ISO 4217 code; `null` for lines of statements that name no currency.', nullable: true, example: 'USD' }) currency:
    string | null;
  @Integer({ about: 'How many lines.', min: 0, example: 2 }) count: number;
  @Text({ about: 'Money out, in that currency.', example: '80.00' }) gross: string;
  @Text({ about: 'Money in.', example: '0.00' }) refunds: string;
  @Text({ about: '`gross` less `refunds`.', example: '80.00' }) net: string;
}

export class EvidenceMonthDto {
  @Text(MONTH) month: string;
  @OneOf(EVIDENCE_STATUSES, { about: 'Whether statements cover all days of it that the period has, some, or none.' })
  status: (typeof EVIDENCE_STATUSES)[number];
  @UuidList({ about: 'The statements that cover days of it.' }) statementIds: string[];
}

export class EvidenceDto {
  @Text({ about: 'Share of the days of the period that statements cover, in percent.', example: '100.0' }) coveragePercent: string;
  @ListOf(EvidenceMonthDto, { about: 'Every month of the period.' }) months: EvidenceMonthDto[];
}

export class ControlDto {
  @Text({ about: 'What was checked.', example: 'categories_and_uncategorised_make_net' }) name: string;
  @Text({ about: 'What must come out.', example: '1560.15' }) expected: string;
  @Text({ about: 'What came out.', example: '1560.15' }) actual: string;
  @Flag({ about: 'Whether the two are equal.', example: true }) ok: boolean;
}

export class WarningDto {
  @Text({ about: 'What kind of warning.', example: 'claimed_by_several' }) code: string;
  @Text({ about: 'What to look at; never the content of a line.', example: '4 lines of TRAVEL-RAIL match TRAVEL-AIR, too.' })
  message: string;
}

export class RunStatementDto {
  @Uuid({ about: 'The bank statement.' }) id: string;
  @Text({ about: 'SHA-256 of the file that was imported.', example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' })
  sha256: string;
  @Integer({ about: 'How many lines it has.', min: 0, example: 120 }) linesRead: number;
  @Integer({ about: 'How many of them are in the totals.', min: 0, example: 118 }) linesUsed: number;
  @Integer({ about: 'How many stand in an earlier statement, too, and were counted there.', min: 0, example: 2 }) duplicates: number;
}

export class OutputDto {
  @OneOf(OUTPUT_FORMATS, { about: 'Kind of file; it is downloaded in the settings.' }) format: OutputFormat;
  @Integer({ about: 'Size of the file.', min: 0, example: 20481 }) bytes: number;
  @Text({ about: 'SHA-256 of the file.', example: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae' }) sha256: string;
}

export class RunPeriodDto {
  @CalendarDate({ about: 'First day.', example: '2026-01-01' }) start: string;
  @CalendarDate({ about: 'Last day.', example: '2026-12-31' }) end: string;
}

export class ReportResultDto {
  @OneOf(['claim-report/1'], { about: 'What the fields of this result mean.' }) schema: 'claim-report/1';
  @Text({ about: 'Version of the engine. The same inputs give the same result under the same version.', example: '1.0.0' })
  engineVersion: string;
  @Text({
    about: 'SHA-256 of all that the result was made from.',
    example: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
  })
  inputsHash: string;
  @Nested(RunPeriodDto, {
    about: 'The period: of the configuration, else of the project, else of the statements; `null` when there is none of them.',
    nullable: true,
  })
  period: RunPeriodDto | null;
  @Text({ about: 'ISO 4217 code of the amounts; `null` when no statement names one.', nullable: true, example: 'EUR' }) currency:
    string | null;
  @Nested(TotalsDto, { about: 'All lines of the period in the currency, claimed or not.' }) totals: TotalsDto;
  @ListOf(CategoryResultDto, { about: 'Every category that took part, by code.' }) categories: CategoryResultDto[];
  @ListOf(MonthDto, { about: 'The months that have lines, claimed or not.' }) months: MonthDto[];
  @Nested(UncategorisedDto, { about: 'What no category claims.' }) uncategorised: UncategorisedDto;
  @ListOf(OtherCurrencyDto, { about: 'Lines in other currencies: they are in none of the totals.' }) otherCurrencies: OtherCurrencyDto[];
  @Nested(EvidenceDto, { about: 'How far statements cover the period.' }) evidence: EvidenceDto;
  @ListOf(ControlDto, { about: 'Sums that must agree.' }) controls: ControlDto[];
  @ListOf(WarningDto, { about: 'What somebody should look at before the claim is sent.' }) warnings: WarningDto[];
  @ListOf(RunStatementDto, { about: 'The statements that were read.' }) statements: RunStatementDto[];
  @ListOf(OutputDto, { about: 'The files that were made.' }) outputs: OutputDto[];
}

/** A result before its files were made. */
export type Computed = Omit<ReportResultDto, 'outputs'>;
