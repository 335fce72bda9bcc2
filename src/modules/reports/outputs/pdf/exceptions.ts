import type { Finding } from '../../engine/checks/findings.js';
import { drawHeading, drawNote, nameOfCategory, type Edition } from './edition.js';

/** What must be checked, in sentences. */
export function drawExceptions(edition: Edition): void {
  const { paper, words, report } = edition;
  drawHeading(edition, words.sections.exceptions, 2);
  if (report.findings.length === 0) return drawNote(edition, words.exceptions.none);
  drawNote(edition, words.exceptions.note);
  paper.inside('L', () => {
    report.findings.forEach((finding, index) => drawFinding(edition, `${index + 1}.`, sentenceOf(edition, finding)));
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

export function sentenceOf({ words, formats, nameOf }: Pick<Edition, 'words' | 'formats' | 'nameOf'>, finding: Finding): string {
  const names = {
    statement:
      'statementIds' in finding ? listed(finding.statementIds.map(nameOf)) : 'statementId' in finding ? nameOf(finding.statementId) : '',
    later: 'later' in finding ? nameOf(finding.later) : '',
    earlier: 'earlier' in finding ? nameOf(finding.earlier) : '',
    category: 'category' in finding ? nameOfCategory(finding.category) : '',
    other: 'other' in finding ? nameOfCategory(finding.other) : '',
  };
  // The kinds and their sentences have the same fields, which the compiler cannot see for a union.
  const sentence = words.exceptions.findings[finding.kind] as (f: typeof formats, about: object) => string;
  return sentence(formats, { ...finding, ...names });
}

const MAX_LISTED = 5;

const listed = (names: readonly string[]): string =>
  names.slice(0, MAX_LISTED).join(', ') + (names.length > MAX_LISTED ? ` (+${names.length - MAX_LISTED})` : '');
