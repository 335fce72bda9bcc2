import { writeTexts } from './chunks.js';
import type { FileSink, Report } from './report.js';
import { lineObjects } from './tables.js';

/** The result as the API returns it; lines, of which there may be many, one per row. */
export const writeJson = (report: Report, file: FileSink): Promise<void> => writeTexts(file, textsOf(report));

function* textsOf(report: Report): Iterable<string> {
  const result = JSON.stringify(report.result, null, 2);
  if (report.options.detail === 'none') {
    yield `${result}\n`;
    return;
  }
  yield `${result.slice(0, -'\n}'.length)},\n  "lines": [`;
  let separator = '\n';
  for (const line of lineObjects(report)) {
    yield `${separator}    ${JSON.stringify(line)}`;
    separator = ',\n';
  }
  yield '\n  ]\n}\n';
}
