import type { Edition } from './edition.js';
import { drawFields, type Field } from './fields.js';
import { COLOURS } from './paper.js';

/** Who claims, for whom and when, and of which run this is. */
export function drawCover(edition: Edition): void {
  const { paper, words, report } = edition;
  const { about } = report;
  paper.y += 60;
  paper.write('H1', words.title, { size: 26, bold: true, colour: COLOURS.accent }, 8);
  const subject = about.configuration ?? about.project;
  if (subject !== null) paper.write('P', subject, { size: 14 }, 18);
  paper.rule(paper.y, COLOURS.accent, 1.5);
  paper.y += 20;
  drawFields(edition, fieldsOf(edition));
}

function fieldsOf({ words: { fields, period }, formats, report: { about, result } }: Edition): Field[] {
  const day = about.startedAt.slice(0, 10);
  const dates = result.period && period(formats.longDay(result.period.start), formats.longDay(result.period.end));
  return [
    [fields.organization, about.organization],
    [fields.project, about.project],
    [fields.clientReference, about.clientReference],
    [fields.configuration, about.configuration],
    [fields.period, dates],
    [fields.currency, result.currency],
    [fields.date, `${formats.longDay(day)}, ${formats.time(about.startedAt)} UTC`],
    [fields.run, about.runId],
    [fields.hash, result.inputsHash],
    [fields.engine, result.engineVersion],
  ];
}
