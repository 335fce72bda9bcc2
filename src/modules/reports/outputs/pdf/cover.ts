import type { Edition } from './edition.js';
import { COLOURS } from './paper.js';

const LABEL_WIDTH = 112;

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
  paper.inside('Table', () => {
    for (const [label, value] of fieldsOf(edition)) drawField(edition, label, value);
  });
}

function fieldsOf({ words: { fields, period }, formats, report: { about, result } }: Edition): [string, string][] {
  const day = about.startedAt.slice(0, 10);
  const dates = result.period && period(formats.longDay(result.period.start), formats.longDay(result.period.end));
  const known: [string, string | null][] = [
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
  return known.filter((field): field is [string, string] => field[1] !== null);
}

function drawField({ paper }: Edition, label: string, value: string): void {
  const [name, text] = [
    { size: 9, colour: COLOURS.quiet, width: LABEL_WIDTH },
    { size: 9, x: paper.left + LABEL_WIDTH + 8, width: paper.width - LABEL_WIDTH - 8 },
  ];
  const [names, texts] = [paper.linesOf(label, name), paper.linesOf(value, text)];
  const height = Math.max(names.length, texts.length) * 12 + 6;
  paper.needRoom(height);
  paper.inside('TR', () => {
    paper.inside('TH', () => paper.mark(() => paper.drawLines(names, paper.y, name)), { scope: 'Row' });
    paper.inside('TD', () => paper.mark(() => paper.drawLines(texts, paper.y, text)));
  });
  paper.y += height;
}
