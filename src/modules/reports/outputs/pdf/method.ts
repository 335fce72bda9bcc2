import type { ControlDto } from '../../result.dto.js';
import { hasTax } from '../contained-tax.js';
import { isOfBalance, nameOfControl } from '../wording/sentences.js';
import { drawHeading, drawNote, type Edition } from './edition.js';
import { drawTable, type Column, type Row } from './table.js';

/** How the figures come about, and the sums that prove them. */
export function drawMethod(edition: Edition): void {
  const { paper, words, formats, report } = edition;
  const { paragraphs, controls, controlsNote, balances } = words.method;
  drawHeading(edition, words.sections.method, 2);
  const { ofLines, tax, notConverted, ofData } = paragraphs;
  for (const paragraph of [...ofLines, ...(hasTax(report.result) ? [tax] : []), notConverted, ...ofData])
    paper.write('P', paragraph, { size: 8.5 }, 5);
  paper.y += 6;
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

function rowOf(edition: Edition, { name, expected, actual, ok }: ControlDto): Row {
  const { words, formats, nameOf } = edition;
  return { cells: [nameOfControl(edition, nameOf, name), formats.number(expected), formats.number(actual), ok ? words.yes : words.no] };
}
