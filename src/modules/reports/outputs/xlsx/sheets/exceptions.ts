import type { Report } from '../../report.js';
import { heading, number, text } from '../cell.js';
import type { Row, Sheet } from '../sheet.js';
import { WORDS } from '../words.js';
import { referencesOf } from './lines.js';

/** What to check before the claim is sent, and the sums that must be equal. */
export function exceptionsSheet(report: Report): Sheet {
  const { warnings, controls } = report.result;
  const readable = (text: string) => withReferences(text, report);
  const { exceptions, controls: words } = WORDS;
  const found = warnings.map(({ code, message }): Row => ({ cells: [text(nameOf(code)), text(readable(message))] }));
  const rows: Row[] = [
    { cells: [heading(exceptions.kind), heading(exceptions.heading)] },
    ...(found.length > 0 ? found : [{ cells: [null, text(exceptions.none)] }]),
    { cells: [] },
    { cells: [heading(words.heading), heading(words.agrees), heading(words.expected, 'number'), heading(words.actual, 'number')] },
    ...controls.map(({ name, expected, actual, ok }): Row => ({
      cells: [text(controlName(readable(name))), text(ok ? words.yes : words.no), number(expected), number(actual)],
    })),
  ];
  return { name: WORDS.sheets.exceptions, widths: [44, 90, 16, 16], rows, rowCount: rows.length, isLandscape: true };
}

const BALANCE = 'statement_balance:';
const controlName = (name: string): string =>
  name.startsWith(BALANCE) ? WORDS.balance(name.slice(BALANCE.length)) : (WORDS.controlNames[name] ?? nameOf(name));

/** `claimed_by_several` as `Claimed by several`. */
const nameOf = (code: string): string => `${code[0]!.toUpperCase()}${code.slice(1).replaceAll('_', ' ')}`;

/** People call a statement `S1`, not by its id. */
function withReferences(message: string, report: Report): string {
  return message.replace(UUID, (id) => referencesOf(report).get(id) ?? id);
}

const UUID = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g;
