import { countrySpecs } from 'ibantools';
import { type Finding, isLetterOrDigit, type SearchableText } from '../finding.js';
import { mod97 } from './checksums.js';

interface Form {
  readonly length: number;
  readonly national: RegExp;
}

const FORMS = new Map(
  Object.entries(countrySpecs).flatMap(([country, { chars, bban_regexp: national }]): [string, Form][] =>
    chars && national ? [[country, { length: chars, national: new RegExp(national) }]] : [],
  ),
);
const START = /[A-Z]{2}(?=\d\d)/g;

/** A hyphen or a blank, or both as at a line break. */
const WRITTEN = /^[\p{L}\p{N}](?:[ -]{0,3}[\p{L}\p{N}])*$/u;
/** The end of a word and the text after it are not an IBAN, as in `VISA 3434`. But `IBANDE02` contains one. */
const GLUED = /^[\p{L}]{2}\d\d/u;

/**
 * IBANs by the length and form of their country and their check digits, in any case, with blanks, hyphens or line breaks anywhere,
 * and directly beside other words; but not the beginning of a longer number.
 */
export function findIbans(searchable: SearchableText): Finding[] {
  const findings: Finding[] = [];
  if (!searchable.hasDigits) return findings;
  const { letters, offsets } = searchable.compact;
  START.lastIndex = 0;
  for (let match = START.exec(letters); match; match = START.exec(letters)) {
    const iban = ibanAt(letters, match.index);
    const end = iban === undefined ? 0 : offsets[match.index + iban.length - 1]! + 1;
    if (iban === undefined || !standsAt(searchable.text, offsets[match.index]!, end)) {
      START.lastIndex = match.index + 1;
      continue;
    }
    findings.push({ kind: 'iban', start: offsets[match.index]!, end, value: iban });
    START.lastIndex = match.index + iban.length;
  }
  return findings;
}

function ibanAt(letters: string, start: number): string | undefined {
  const form = FORMS.get(letters.slice(start, start + 2));
  if (!form) return undefined;
  const iban = letters.slice(start, start + form.length);
  const national = iban.slice(4);
  return iban.length === form.length && form.national.test(national) && mod97(national + iban.slice(0, 4)) === 1 ? iban : undefined;
}

function standsAt(text: string, start: number, end: number): boolean {
  const written = text.slice(start, end);
  return WRITTEN.test(written) && !/^[.,]?\d/.test(text.slice(end, end + 2)) && (!isLetterOrDigit(text[start - 1]) || GLUED.test(written));
}
