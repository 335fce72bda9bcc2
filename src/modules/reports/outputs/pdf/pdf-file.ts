import type { FileSink } from '../output-file.js';
import type { Report } from '../report.js';
import { drawCalendar } from './calendar.js';
import { drawCategories } from './categories.js';
import { drawCover } from './cover.js';
import { editionOf, finish } from './edition.js';
import { drawExceptions } from './exceptions.js';
import { drawItems } from './items.js';
import { drawMethod } from './method.js';
import { drawSignOff } from './sign-off.js';
import { drawStatements } from './statements.js';
import { drawSummary } from './summary.js';

/** The report that an accountant hands to a client, in the language of its locale. */
export async function writePdf(report: Report, file: FileSink): Promise<void> {
  const edition = editionOf(report, file);
  const { paper, words } = edition;
  await paper.open();
  drawCover(edition);
  paper.nextPage();
  drawSummary(edition);
  paper.nextPage();
  drawCategories(edition);
  drawItems(edition);
  drawStatements(edition);
  drawCalendar(edition);
  drawExceptions(edition);
  drawMethod(edition);
  drawSignOff(edition);
  await finish(edition, words.title);
}
