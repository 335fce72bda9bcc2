import type { ClaimReportControlDto, ClaimReportConversionsDto } from '../../result.dto.js';
import { hasTax } from '../contained-tax.js';
import { isOfBalance, nameOfControl } from '../wording/sentences.js';
import { drawHeading, drawNote, type Edition } from './edition.js';
import { drawTable, type Column, type Row } from './table.js';

/** How the figures come about, and the sums that prove them. */
export function drawMethod(edition: Edition): void {
  const { paper, words, formats, report } = edition;
  const { paragraphs, controls, controlsNote, balances } = words.method;
  drawHeading(edition, words.sections.method, 2);
  const { ofLines, tax, notConverted, converted, ofData } = paragraphs;
  const { conversions } = report.result;
  for (const paragraph of [
    ...ofLines,
    ...(hasTax(report.result) ? [tax] : []),
    conversions ? converted(conversions.source) : notConverted,
    ...ofData,
  ])
    paper.write('P', paragraph, { size: 8.5 }, 5);
  paper.y += 6;
  if (conversions) drawRates(edition, conversions);
  drawHeading(edition, controls, 3);
  drawNote(edition, controlsNote);
  const ofBalances = report.result.controls.filter(({ name }) => isOfBalance(name));
  const shown = report.result.controls.filter((control) => !ofBalances.includes(control) || !control.ok);
  const { columns } = words;
  const heads: Column[] = [
    { heading: columns.control, is: 'text' },
    { heading: columns.expected, is: 'number' },
    { heading: columns.actual, is: 'number' },
    { heading: columns.agrees, is: 'number' },
  ];
  drawTable(
    paper,
    heads,
    shown.map((control) => rowOf(edition, control)),
    8,
  );
  if (ofBalances.length > 0) drawNote(edition, balances(formats, ofBalances.filter(({ ok }) => ok).length, ofBalances.length));
}

/** What was converted, and the rates. */
function drawRates(edition: Edition, { source, currencies, rates, ratesNotListed }: ClaimReportConversionsDto): void {
  const { paper, words, formats, report } = edition;
  const { columns, method } = words;
  const text = (heading: string): Column => ({ heading, is: 'text' });
  const number = (heading: string): Column => ({ heading, is: 'number' });
  drawHeading(edition, method.rates, 3);
  drawNote(edition, source);
  drawTable(
    paper,
    [text(columns.currency), number(columns.read), number(columns.net), number(`${columns.converted}, ${report.result.currency}`)],
    currencies.map(({ currency, count, net, converted }) => ({
      cells: [currency, formats.number(count), formats.number(net), formats.number(converted)],
    })),
    8,
  );
  drawTable(
    paper,
    [text(columns.currency), text(columns.rateFor), number(columns.rate), number(columns.read)],
    rates.map(({ currency, rateFor, rate, count }) => ({
      cells: [currency, rateFor.length === 7 ? formats.month(rateFor) : formats.day(rateFor), formats.number(rate), formats.number(count)],
    })),
    8,
  );
  if (ratesNotListed > 0) drawNote(edition, method.ratesNotListed(formats, ratesNotListed));
}

function rowOf(edition: Edition, { name, expected, actual, ok }: ClaimReportControlDto): Row {
  const { words, formats, nameOf } = edition;
  return { cells: [nameOfControl(edition, nameOf, name), formats.number(expected), formats.number(actual), ok ? words.yes : words.no] };
}
