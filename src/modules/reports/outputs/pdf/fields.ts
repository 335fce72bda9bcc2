import type { Edition } from './edition.js';
import { COLOURS } from './paper.js';

const LABEL_WIDTH = 112;

/** A label and its value; null if it is not known. */
export type Field = readonly [label: string, value: string | null];

/** A list of what is known. */
export function drawFields(edition: Edition, fields: readonly Field[]): void {
  edition.paper.inside('Table', () => {
    for (const [label, value] of fields) if (value !== null) drawField(edition, label, value);
  });
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
