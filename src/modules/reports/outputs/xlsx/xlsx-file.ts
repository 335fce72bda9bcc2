import type { FileSink, Report } from '../report.js';
import type { Sheet } from './sheet.js';
import { categoriesSheet } from './sheets/categories.js';
import { itemsOf, otherLinesSheets } from './sheets/items.js';
import { ratesSheet } from './sheets/rates.js';
import { statementsSheet } from './sheets/statements.js';
import { exceptionsSheet, monthsSheet, summarySheet } from './sheets/summary.js';
import { workbookWordsOf, type WorkbookWords } from './words.js';
import { propertiesOf, writeWorkbook } from './workbook.js';

/** The report as a workbook. Its sums are formulas, whose results are stored with them. */
export function writeXlsx(report: Report, file: FileSink): Promise<void> {
  const { paperSize, locale } = report.options;
  const book = workbookWordsOf(report);
  const options = {
    properties: propertiesOf(report, book.say('report.title')),
    page: book.say('workbook.page'),
    paperSize: paperSize ?? (locale === 'en-US' ? 'letter' : 'a4'),
  } as const;
  return writeWorkbook(sheetsOf(report, book), options, file);
}

function sheetsOf(report: Report, book: WorkbookWords): Sheet[] {
  const { groupBy, detail } = report.options;
  const items = itemsOf(report, book);
  const categories = groupBy.includes('category') ? categoriesSheet(report, book, items) : undefined;
  return [
    summarySheet(report, book, categories),
    ...(categories ? [categories] : []),
    ...(groupBy.includes('month') ? [monthsSheet(report, book, categories)] : []),
    ...items.sheets,
    ...(detail === 'lines' ? otherLinesSheets(report, book) : []),
    ...(report.result.conversions ? [ratesSheet(report, book, report.result.conversions)] : []),
    statementsSheet(report, book),
    exceptionsSheet(report, book),
  ];
}
