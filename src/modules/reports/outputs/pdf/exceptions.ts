import { sentenceOf } from '../wording/sentences.js';
import { drawHeading, drawNote, type Edition } from './edition.js';

/** What must be checked, in sentences. */
export function drawExceptions(edition: Edition): void {
  const { paper, words, report } = edition;
  drawHeading(edition, words.sections.exceptions, 2);
  if (report.findings.length === 0) return drawNote(edition, words.exceptions.none);
  drawNote(edition, words.exceptions.note);
  paper.inside('L', () => {
    report.findings.forEach((finding, index) => drawFinding(edition, `${index + 1}.`, sentenceOf(edition, edition.nameOf, finding)));
  });
  paper.y += 8;
}

const INDENT = 20;

function drawFinding({ paper }: Edition, label: string, sentence: string): void {
  const style = { x: paper.left + INDENT, width: paper.width - INDENT, size: 8.5 };
  paper.needRoom(paper.keptHeight(sentence, style));
  paper.inside('LI', () => {
    paper.inside('Lbl', () => paper.mark(() => paper.draw(label, paper.y, { size: 8.5, width: INDENT })));
    paper.write('LBody', sentence, style, 4);
  });
}
