import { API_NAME } from '../../../../kernel/product.js';
import type { FileSink, Report, ReportAbout } from '../report.js';
import { chunksOf } from '../tables.js';
import { ZipFile } from '../zip-file.js';
import { cellText, fixedArea, letterOf, quotedName, type Sheet, sheetXml, Styles, XML } from '../../../../../tools/xlsx-sheets/index.js';
import { workbookWordsOf, type WorkbookWords } from './figures.js';
import { itemsOf, otherLinesSheets, ratesSheet, receiptsSheet, statementsSheet } from './sheets/items.js';
import { categoriesSheet, exceptionsSheet, formSheet, monthsSheet, summarySheet } from './sheets/summary.js';

interface Entry {
  readonly path: string;
  readonly texts: Iterable<string>;
}

/** The earliest time that ZIP knows. */
const MODIFIED = new Date(1980, 0, 1);

async function writeArchive(entries: readonly Entry[], file: FileSink): Promise<void> {
  const zip = new ZipFile(file, { modified: MODIFIED, level: 1 });
  for (const { path, texts } of entries) {
    const entry = zip.entry(path);
    for await (const chunk of chunksOf(texts)) entry.add(chunk);
    entry.end();
  }
  zip.end();
}

const OFFICE_DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006';
const CORE = 'http://schemas.openxmlformats.org/package/2006/metadata/core-properties';

/** What the file says of itself. Its time is that of the run, so that the same run makes the same bytes. */
function corePropertiesXml({ configuration, organization, startedAt }: ReportAbout, title: string): string {
  const namespaces = `xmlns:cp="${CORE}" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"`;
  const time = (name: string) => `<dcterms:${name} xsi:type="dcterms:W3CDTF">${startedAt.slice(0, 19)}Z</dcterms:${name}>`;
  return (
    `${XML}<cp:coreProperties ${namespaces} xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">` +
    `<dc:title>${cellText(configuration ?? title)}</dc:title><dc:creator>${cellText(organization ?? API_NAME)}</dc:creator>` +
    `${time('created')}${time('modified')}</cp:coreProperties>`
  );
}

const appPropertiesXml =
  `${XML}<Properties xmlns="${OFFICE_DOCUMENT}/extended-properties">` + `<Application>${API_NAME}</Application></Properties>`;

const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const MAIN_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

function contentTypes(paths: readonly string[]): string {
  const part = (path: string, type: string) => `<Override PartName="/${path}" ContentType="${type}+xml"/>`;
  const parts = [
    part('docProps/core.xml', 'application/vnd.openxmlformats-package.core-properties'),
    part('docProps/app.xml', 'application/vnd.openxmlformats-officedocument.extended-properties'),
    part('xl/workbook.xml', `${MAIN_TYPE}.sheet.main`),
    part('xl/styles.xml', `${MAIN_TYPE}.styles`),
    ...paths.map((path) => part(`xl/${path}`, `${MAIN_TYPE}.worksheet`)),
  ];
  const defaults = [
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    '<Default Extension="xml" ContentType="application/xml"/>',
  ];
  return `${XML}<Types xmlns="${PACKAGE}/content-types">${defaults.join('')}${parts.join('')}</Types>`;
}

function packageRelationships(): string {
  return relationships([
    [`${OFFICE}/officeDocument`, 'xl/workbook.xml'],
    [`${PACKAGE}/relationships/metadata/core-properties`, 'docProps/core.xml'],
    [`${OFFICE}/extended-properties`, 'docProps/app.xml'],
  ]);
}

function workbookRelationships(paths: readonly string[]): string {
  return relationships([...paths.map((path) => [`${OFFICE}/worksheet`, path] as const), [`${OFFICE}/styles`, 'styles.xml']]);
}

function relationships(targets: readonly (readonly [type: string, target: string])[]): string {
  const items = targets.map(([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${type}" Target="${target}"/>`);
  return `${XML}<Relationships xmlns="${PACKAGE}/relationships">${items.join('')}</Relationships>`;
}

/** Sheets are the first relationships of the workbook, so the number of a sheet is also that of its relationship. */
function workbook(sheets: readonly Sheet[]): string {
  const items = sheets.map(({ name }, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`);
  const namespaces = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${OFFICE}"`;
  return (
    `${XML}<workbook ${namespaces}><bookViews><workbookView activeTab="0"/></bookViews><sheets>${items.join('')}</sheets>` +
    `<definedNames>${sheets.map(definedNames).join('')}</definedNames></workbook>`
  );
}

/** What is printed of a sheet, which of its rows are repeated on every page, and which can be filtered. */
function definedNames({ name, widths, rowCount, table }: Sheet, index: number): string {
  const defined = (what: string, reference: string, more = '') =>
    `<definedName name="_xlnm.${what}" localSheetId="${index}"${more}>${reference}</definedName>`;
  const printed = defined('Print_Area', fixedArea(name, widths.length, Math.max(1, rowCount)));
  if (!table) return printed;
  const filtered = `${quotedName(name)}!$A$1:$${letterOf(widths.length - 1)}$${table.last}`;
  return `${defined('_FilterDatabase', filtered, ' hidden="1"')}${printed}${defined('Print_Titles', `${quotedName(name)}!$1:$1`)}`;
}

/**
 * The report as a workbook (ECMA-376). Its sums are formulas, whose results are stored with them. By hand, because no library does it
 * within the memory of a worker.
 */
export function writeXlsx(report: Report, file: FileSink): Promise<void> {
  const { locale, paperSize } = report.options;
  const book = workbookWordsOf(report);
  const sheets = sheetsOf(report, book);
  const paths = sheets.map((_sheet, index) => `worksheets/sheet${index + 1}.xml`);
  const size = paperSize ?? (locale === 'en-US' ? 'letter' : 'a4');
  const options = { paperSize: size, page: book.say('workbook.page'), styles: new Styles() } as const;
  const entries: Entry[] = [
    { path: '[Content_Types].xml', texts: [contentTypes(paths)] },
    { path: '_rels/.rels', texts: [packageRelationships()] },
    { path: 'docProps/core.xml', texts: [corePropertiesXml(report.about, book.say('report.title'))] },
    { path: 'docProps/app.xml', texts: [appPropertiesXml] },
    { path: 'xl/workbook.xml', texts: [workbook(sheets)] },
    { path: 'xl/_rels/workbook.xml.rels', texts: [workbookRelationships(paths)] },
    ...sheets.map((sheet, index) => ({ path: `xl/${paths[index]!}`, texts: sheetXml(sheet, { isFirst: index === 0, ...options }) })),
    { path: 'xl/styles.xml', texts: options.styles.xml() },
  ];
  return writeArchive(entries, file);
}

function sheetsOf(report: Report, book: WorkbookWords): Sheet[] {
  const { groupBy, detail } = report.options;
  const items = itemsOf(report, book);
  const categories = groupBy.includes('category') ? categoriesSheet(report, book, items) : undefined;
  return [
    summarySheet(report, book, categories),
    ...(report.result.form ? [formSheet(report.result.form, book)] : []),
    ...(categories ? [categories] : []),
    ...(groupBy.includes('month') ? [monthsSheet(report, book, categories)] : []),
    ...items.sheets,
    ...(detail === 'lines' ? otherLinesSheets(report, book) : []),
    ...(report.result.conversions ? [ratesSheet(report, book, report.result.conversions)] : []),
    statementsSheet(report, book),
    ...(report.result.receipts ? [receiptsSheet(book, report.result.receipts)] : []),
    exceptionsSheet(report, book),
  ];
}
