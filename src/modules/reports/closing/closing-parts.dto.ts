import { Flag, Integer, ListOf, Nested, Text, Uuid } from '../../../api/validation/fields.js';
import { compareResults } from '../compare-results.js';
import type { ClaimReportResultDto } from '../result.dto.js';

/** Of the categories and statements that differ: the two runs have them all. */
const MAX_CHANGES = 100;

export class ClaimClosingCertificateDto {
  @Text({ about: 'Whom the certificate names.', example: 'Example Accountants' }) subject: string;
  @Text({ about: 'SHA-256 of the certificate.', example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' })
  sha256: string;
}

export class ClaimClosingPackDto {
  @Text({ about: 'SHA-256 of the signed evidence pack.', example: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae' })
  sha256: string;
  @Text({ about: 'Ed25519 signature in Base64, as `signature.json` of the pack has it.', example: '0fS5…' }) signature: string;
  @Text({ about: 'What identifies the key: the first 16 characters of the SHA-256 of `publicKey`.', example: '9f86d081884c7d65' })
  keyId: string;
  @Text({ about: 'The public key (SPKI) in Base64.', example: 'MCowBQYDK2VwAyEA…' }) publicKey: string;
  @Nested(ClaimClosingCertificateDto, {
    about: 'The certificate by which the report of the pack is signed as a PDF; absent if the organization has none.',
    optional: true,
  })
  certificate?: ClaimClosingCertificateDto;
}

export class ClaimClosingChangeDto {
  @Text({ about: 'Before; `null` if there was none.', nullable: true, example: '1250.00' }) from: string | null;
  @Text({ about: 'After; `null` if there is none.', nullable: true, example: '1270.00' }) to: string | null;
  @Text({ about: '`to` minus `from`; `null` if the currencies differ.', nullable: true, example: '20.00' }) difference: string | null;
}

export class ClaimClosingTotalsDto {
  @Nested(ClaimClosingChangeDto, { about: 'Money out minus money in.' }) net: ClaimClosingChangeDto;
  @Nested(ClaimClosingChangeDto, { about: 'The claim.' }) claimable: ClaimClosingChangeDto;
  @Nested(ClaimClosingChangeDto, { about: 'The part of `net` that no category claims.' }) uncategorised: ClaimClosingChangeDto;
  @Nested(ClaimClosingChangeDto, { about: 'The tax in the claim; absent if neither has taxes.', optional: true })
  claimableTax?: ClaimClosingChangeDto;
}

export class ClaimClosingCategoryDto extends ClaimClosingChangeDto {
  @Text({ about: 'Code of the category.', example: 'TRAVEL-RAIL' }) code: string;
  @Text({ about: 'Name of the category.', example: 'Rail travel' }) name: string;
}

export class ClaimClosingStatementDto {
  @Uuid({ about: 'The bank statement.' }) id: string;
  @Integer({ about: 'How many of its lines the corrected claim used; `null` if it did not read it.', min: 0, nullable: true, example: 118 })
  from: number | null;
  @Integer({ about: 'How many the correction uses.', min: 0, nullable: true, example: 120 }) to: number | null;
}

export class ClaimClosingChangesDto {
  @Flag({ about: 'Whether both have the same inputs.', example: false }) sameInputs: boolean;
  @Nested(ClaimClosingTotalsDto, { about: 'The totals of both.' }) totals: ClaimClosingTotalsDto;
  @ListOf(ClaimClosingCategoryDto, { about: `The claims of categories that differ, at most ${MAX_CHANGES}.` })
  categories: ClaimClosingCategoryDto[];
  @ListOf(ClaimClosingStatementDto, { about: `The statements of which other lines are used, at most ${MAX_CHANGES}.` })
  statements: ClaimClosingStatementDto[];

  static between(from: ClaimReportResultDto, to: ClaimReportResultDto): ClaimClosingChangesDto {
    const { sameInputs, totals, categories, statements } = compareResults(from, to);
    return {
      sameInputs,
      totals,
      categories: categories.slice(0, MAX_CHANGES).map(({ code, name, from: before, to: after, difference }) => ({
        ...{ from: before, to: after, difference, code, name },
      })),
      statements: statements.slice(0, MAX_CHANGES).map(({ id, linesUsed }) => ({ id, ...linesUsed })),
    };
  }
}
