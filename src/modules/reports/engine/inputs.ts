import type { FreeForm } from '../../../kernel/json.js';
import { type AllOutputOptions, type ClaimForm, OUTPUT_OPTIONS, type OutputOptions } from '../../rules/index.js';
import type { AccountBalance, Certainty, RedactedLine } from '../../statements/index.js';
import type { DateRange } from './calendar-days.js';
import type { DayQuotes } from './rates/rate.js';
import { parsed } from './rules/category-filter.js';

/** The inputs of a run, as they were when it began. The same inputs give the same result, byte for byte. */
export interface RunInputs {
  /** Runs that an earlier release began have none. */
  readonly organization?: { readonly name: string };
  readonly project: RunProject | null;
  readonly configuration: RunConfiguration | null;
  readonly categories: readonly RunCategory[];
  readonly statements: readonly RunStatement[];
  /** Only of a project without a statement to read. */
  readonly otherStatements?: OtherStatements;
  /** Only without a statement to read. Runs that an earlier release began have none. */
  readonly unreadStatements?: UnreadStatements;
  /** What people have decided about its lines; absent if nobody has decided anything. */
  readonly decisions?: readonly RunDecision[];
  /** Costs that no bank has, as lines of the last statement; absent if there are none. */
  readonly items?: readonly RedactedLine[];
  /** The files that prove its lines; absent if there are none. */
  readonly receipts?: readonly RunReceipt[];
  /** What one euro was worth on the days of the run; only if `outputOptions.rates` asks for it. */
  readonly quotes?: readonly DayQuotes[];
  /** The form that \`outputOptions.form\` names, as it was when the run began; only if it names one. */
  readonly form?: ClaimForm;
}

/** What a person has decided about a line. It stands above all rules. */
export interface RunDecision {
  readonly id: string;
  /** The booking, wherever it was read: its fingerprint, and which of the equal lines of its statement it is: 1 for the first. */
  readonly fingerprint: string;
  readonly occurrence: number;
  /** What makes up the line. None: it is not claimed. */
  readonly parts: readonly DecidedPart[];
  readonly by: string;
  readonly at: string;
  readonly reason: string | null;
}

export interface DecidedPart {
  /** null: this part is not claimed. */
  readonly categoryId: string | null;
  /** With the sign of the line; null for all of the line. */
  readonly amount: string | null;
  readonly claimablePercent: string;
  readonly taxPercent: string | null;
}

/** A receipt, in the order of the run: its place in this list is its name in files. */
export interface RunReceipt {
  readonly id: string;
  /** The booking or item that it is for, as decisions name it; null for the project. */
  readonly fingerprint: string | null;
  readonly occurrence: number | null;
  readonly fileName: string;
  readonly mediaType: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  /** In the currency of its line. */
  readonly taxAmount: string | null;
}

/** How many statements of the organization are in the period, but not of the project. Without names: a client may read the report. */
export interface OtherStatements {
  readonly withoutProject: number;
  readonly ofOtherProjects: number;
}

/** How many statements of the project, or of the organization, the run cannot read. */
export interface UnreadStatements {
  /** Whether the organization has any statement at all. */
  readonly areThereAny: boolean;
  /** Those without a day in the period, and their first and last day. */
  readonly outside: { readonly count: number; readonly days: DateRange } | null;
  readonly failed: number;
  readonly waiting: number;
}

interface NamedPeriod {
  readonly id: string;
  readonly name: string;
  readonly periodStart: string;
  readonly periodEnd: string;
}

export interface RunProject extends NamedPeriod {
  /** Runs that an earlier release began have none. */
  readonly clientReference?: string | null;
}

export interface RunConfiguration extends NamedPeriod {
  readonly categoryFilter: FreeForm;
  readonly outputOptions: FreeForm;
}

export interface RunCategory {
  readonly id: string;
  /** With a project, the category only claims lines of that project's statements. */
  readonly projectId: string | null;
  readonly code: string;
  readonly name: string;
  readonly status: string;
  readonly sourceMapping: FreeForm;
}

/** The statement whose lines are the items of the run. No bank has it. */
export const ITEMS_STATEMENT = '00000000-0000-7000-8000-000000000000';

export interface RunStatement {
  readonly id: string;
  readonly projectId: string | null;
  readonly sha256: string;
  /** Redacted. Runs that an earlier release began have none. */
  readonly fileName?: string;
  /** The account, masked except for its last characters. Runs that an earlier release began have none. */
  readonly accountLabel?: string | null;
  readonly redactionVersion: string;
  readonly periodStart: string | null;
  readonly periodEnd: string | null;
  /** Opening and closing balances of its accounts. Accounts are tokens, null if the file does not name one. */
  readonly balances: readonly RunBalance[];
  /** Format of its file. Runs that an earlier release began have none. */
  readonly format?: string | null;
  /** The account that its lines are of, if the file does not name it: a token. */
  readonly matchedAccount?: string | null;
  /** How sure its lines are. Runs that an earlier release began have none. */
  readonly certainty?: Certainty | null;
  /** What its reader warned of. Runs that an earlier release began have none. */
  readonly warnings?: readonly { readonly code: string; readonly message: string }[];
}

/** As the statement has it: its days are absent if they are the period of the statement. */
export type RunBalance = AccountBalance;

/** A redacted line. The engine reads the statements in the order of the inputs, and their lines in the order of the file. */
export interface RunLine extends RedactedLine {
  readonly statementId: string;
}

/** The token that replaces a name or an account in redacted lines. */
export type TokenOf = (field: 'counterparty' | 'account', value: string) => string;

/** The order of categories: by code, then by id, since categories of two projects may have the same code. */
export function byCode(a: RunCategory, b: RunCategory): number {
  return byCodePoints(a.code, b.code) || byCodePoints(a.id, b.id);
}

/** Order by code points, which is the same on every machine. */
function byCodePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

export type { OutputOptions };

export function readOutputOptions(value: FreeForm): AllOutputOptions {
  return parsed(OUTPUT_OPTIONS, value, { code: 'invalid_output_options', name: 'outputOptions' });
}
