import type { Report } from '../report.js';
import { propertiesOf } from './properties.js';
import type { Sheet } from './sheet.js';
import { categoriesSheet } from './sheets/categories.js';
import { exceptionsSheet } from './sheets/exceptions.js';
import { itemsOf } from './sheets/items.js';
import { monthsSheet } from './sheets/months.js';
import { otherLinesSheets } from './sheets/other-lines.js';
import { statementsSheet } from './sheets/statements.js';
import { summarySheet } from './sheets/summary.js';
import { WORDS } from './words.js';
import { workbookOf } from './workbook.js';

/** The report as a workbook. Its sums are formulas, whose results are stored with them. */
export function xlsxFile(report: Report): Promise<Buffer> {
  const { paperSize, locale } = report.options;
  return workbookOf(sheetsOf(report), {
    properties: propertiesOf(report, WORDS.title),
    paperSize: paperSize ?? (locale === 'en-US' ? 'letter' : 'a4'),
    maxBytes: report.maxFileBytes,
  });
}

function sheetsOf(report: Report): Sheet[] {
  const { groupBy, detail } = report.options;
  const items = itemsOf(report);
  const categories = groupBy.includes('category') ? categoriesSheet(report, items) : undefined;
  return [
    summarySheet(report, categories),
    ...(categories ? [categories] : []),
    ...(groupBy.includes('month') ? [monthsSheet(report, categories)] : []),
    ...items.sheets,
    ...(detail === 'lines' ? otherLinesSheets(report) : []),
    statementsSheet(report),
    exceptionsSheet(report),
  ];
}
