/** A text's letters and digits alone, upper-case and without accents, and where in the text each of them stands. */
export interface Compact {
  readonly letters: string;
  readonly places: readonly number[];
}

/** As many blanks and signs may stand between two characters of one number or name. More of them, or other signs, part them. */
const LONGEST_GAP = 3;
const BARRIER = '\n';

/** A text that is being looked at. */
export class Passage {
  readonly hasDigits: boolean;
  private folded?: Compact;

  constructor(readonly text: string) {
    this.hasDigits = /\d/.test(text);
  }

  /** A number or a name can be found in this form however it is spaced. A line feed stands where two characters are too far apart. */
  get compact(): Compact {
    return (this.folded ??= compactOf(this.text));
  }
}

function compactOf(text: string): Compact {
  const places: number[] = [];
  let letters = '';
  let last = -1;
  for (let place = 0; place < text.length; place += 1) {
    const folded = foldedAt(text, place);
    if (folded === '') continue;
    if (folded === BARRIER || place - last > LONGEST_GAP + 1) {
      letters += BARRIER;
      places.push(place);
    }
    last = place;
    if (folded === BARRIER) continue;
    letters += folded;
    for (let count = 0; count < folded.length; count += 1) places.push(place);
  }
  return { letters, places };
}

/** Nothing for a blank or a sign; a barrier for a mask. */
function foldedAt(text: string, place: number): string {
  const code = text.charCodeAt(place);
  if ((code >= 48 && code <= 57) || (code >= 65 && code <= 90)) return text[place]!;
  if (code >= 97 && code <= 122) return String.fromCharCode(code - 32);
  if (code < 128) return '';
  return text[place] === MASK ? BARRIER : foldName(text[place]!);
}

/** Upper-case letters and digits without accents. */
export const foldName = (name: string): string =>
  name
    .normalize('NFD')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

/** Of the private use area, which no text has in it once it is plain. */
export const MASK = '\ue000';

export const isLetterOrDigit = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}]/u.test(character);
export const isDigit = (character: string | undefined): boolean => character !== undefined && /\d/.test(character);
