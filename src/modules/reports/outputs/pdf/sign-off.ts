import { drawHeading, drawNote, type Edition } from './edition.js';
import { COLOURS } from './paper.js';

const ROW_HEIGHT = 34;
const GAP = 24;

/** Room for the names, signatures and dates of who prepared and who reviewed the report. */
export function drawSignOff(edition: Edition): void {
  const { paper, words } = edition;
  const { note, prepared, reviewed, name, signature, date } = words.signOff;
  paper.needRoom(4 * ROW_HEIGHT + 70);
  drawHeading(edition, words.sections.signOff, 2);
  drawNote(edition, note);
  const width = (paper.width - GAP) / 2;
  const top = paper.y;
  [prepared, reviewed].forEach((heading, index) => {
    const box = { x: paper.left + index * (width + GAP), width };
    paper.inside('P', () => paper.mark(() => paper.draw(heading, top, { ...box, size: 9.5, bold: true })));
    [name, signature, date].forEach((label, row) => {
      const bottom = top + 18 + (row + 1) * ROW_HEIGHT;
      paper.decorate(() => paper.drawRule(bottom - 12, COLOURS.quiet, 0.5, box));
      paper.inside('P', () => paper.mark(() => paper.draw(label, bottom - 9, { ...box, size: 7, colour: COLOURS.quiet })));
    });
  });
  paper.y = top + 18 + 3 * ROW_HEIGHT;
}
