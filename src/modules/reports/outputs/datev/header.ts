import type { DatevOptions } from '../../../rules/index.js';
import type { Report } from '../report.js';
import { notPossible, quoted } from './fields.js';

const [HEADER_VERSION, BOOKING_BATCH, FORMAT_VERSION] = ['700', '21', '13'];
const [FINANCIAL_ACCOUNTING, NO_ACCOUNTING_PURPOSE, NOT_LOCKED] = ['1', '0', '0'];
const MAX_LABEL_LENGTH = 30;

/** The first line: whose bookings these are, and of which period. */
export function headerOf({ about, result: { period, currency }, options }: Report): string {
  const { consultantNumber, clientNumber, fiscalYearStart, accountLength } = options.datev!;
  const { start, end } = periodIn(options.datev!, period);
  return [
    quoted('EXTF'),
    HEADER_VERSION,
    BOOKING_BATCH,
    quoted('Buchungsstapel'),
    FORMAT_VERSION,
    about.startedAt.replace(/\D/g, '').slice(0, 17).padEnd(17, '0'),
    ...['', quoted(''), quoted(''), quoted('')],
    String(consultantNumber),
    String(clientNumber),
    digitsOf(fiscalYearStart),
    String(accountLength),
    digitsOf(start),
    digitsOf(end),
    quoted(about.configuration ?? '', MAX_LABEL_LENGTH),
    quoted(''),
    FINANCIAL_ACCOUNTING,
    NO_ACCOUNTING_PURPOSE,
    NOT_LOCKED,
    quoted(currency ?? notPossible('The report has no currency.')),
    ...['', quoted(''), '', '', quoted(''), '', '', quoted(''), quoted('')],
  ].join(';');
}

/** Bookings have a day and a month only, so the period must not leave its calendar year or the fiscal year. */
function periodIn({ fiscalYearStart }: DatevOptions, period: Report['result']['period']): { start: string; end: string } {
  const { start, end } = period ?? { start: fiscalYearStart, end: fiscalYearStart };
  const nextStart = `${Number(fiscalYearStart.slice(0, 4)) + 1}${fiscalYearStart.slice(4)}`;
  if (start.slice(0, 4) !== end.slice(0, 4)) notPossible('The period of the report is in several calendar years.');
  if (start < fiscalYearStart || end >= nextStart)
    notPossible('The period of the report is not in the fiscal year that begins at outputOptions.datev.fiscalYearStart.');
  return { start, end };
}

const digitsOf = (date: string): string => date.replaceAll('-', '');
