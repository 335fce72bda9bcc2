import { archiveOf, type Entry } from './archive.js';
import { sheetXml, type Sheet } from './sheet.js';
import { stylesXml } from './styles.js';
import { XML } from './xml.js';

const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const MAIN_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** A minimal workbook (ECMA-376). Written by hand because no library does it within the memory of a worker. */
export function workbookOf(sheets: readonly Sheet[], maxBytes: number): Promise<Buffer> {
  const numbered = sheets.map((sheet, index) => ({ sheet, number: index + 1 }));
  const numbers = numbered.map(({ number }) => number);
  const entries: Entry[] = [
    { path: '[Content_Types].xml', texts: [contentTypes(numbers)] },
    { path: '_rels/.rels', texts: [relationships([['officeDocument', 'xl/workbook.xml']])] },
    { path: 'xl/workbook.xml', texts: [workbook(sheets)] },
    {
      path: 'xl/_rels/workbook.xml.rels',
      texts: [
        relationships([
          ...numbers.map((number): [string, string] => ['worksheet', `worksheets/sheet${number}.xml`]),
          ['styles', 'styles.xml'],
        ]),
      ],
    },
    { path: 'xl/styles.xml', texts: [stylesXml] },
  ];
  const sheetEntries = numbered.map(({ sheet, number }) => ({ path: `xl/worksheets/sheet${number}.xml`, texts: sheetXml(sheet) }));
  return archiveOf([...entries, ...sheetEntries], maxBytes);
}

function contentTypes(numbers: readonly number[]): string {
  const part = (path: string, type: string) => `<Override PartName="/xl/${path}.xml" ContentType="${MAIN_TYPE}.${type}+xml"/>`;
  const parts = [
    part('workbook', 'sheet.main'),
    part('styles', 'styles'),
    ...numbers.map((number) => part(`worksheets/sheet${number}`, 'worksheet')),
  ];
  const defaults = [
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    '<Default Extension="xml" ContentType="application/xml"/>',
  ];
  return `${XML}<Types xmlns="${PACKAGE}/content-types">${defaults.join('')}${parts.join('')}</Types>`;
}

function relationships(targets: readonly (readonly [type: string, target: string])[]): string {
  const items = targets.map(([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`);
  return `${XML}<Relationships xmlns="${PACKAGE}/relationships">${items.join('')}</Relationships>`;
}

/** Sheets are the first relationships of the workbook, so the number of a sheet is also that of its relationship. */
function workbook(sheets: readonly Sheet[]): string {
  const items = sheets.map(({ name }, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`);
  const namespaces = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${OFFICE}"`;
  return `${XML}<workbook ${namespaces}><sheets>${items.join('')}</sheets></workbook>`;
}
