import { API_NAME } from '../../../../kernel/product.js';
import type { Report } from '../report.js';
import { cellText, XML } from './xml.js';

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006';
const CORE = 'http://schemas.openxmlformats.org/package/2006/metadata/core-properties';

/** What the file says of itself. Its time is that of the run, so that the same run makes the same bytes. */
export function corePropertiesXml({ title, creator, createdAt }: Properties): string {
  const namespaces = `xmlns:cp="${CORE}" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"`;
  const time = (name: string) => `<dcterms:${name} xsi:type="dcterms:W3CDTF">${createdAt.slice(0, 19)}Z</dcterms:${name}>`;
  return (
    `${XML}<cp:coreProperties ${namespaces} xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">` +
    `<dc:title>${cellText(title)}</dc:title><dc:creator>${cellText(creator)}</dc:creator>` +
    `${time('created')}${time('modified')}</cp:coreProperties>`
  );
}

export const appPropertiesXml =
  `${XML}<Properties xmlns="${OFFICE}/extended-properties">` + `<Application>${API_NAME}</Application></Properties>`;

export interface Properties {
  readonly title: string;
  readonly creator: string;
  readonly createdAt: string;
}

export function propertiesOf({ about }: Report, title: string): Properties {
  const { configuration, organization, startedAt } = about;
  return { title: configuration ?? title, creator: organization ?? API_NAME, createdAt: startedAt };
}
