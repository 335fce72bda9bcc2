import { RE2JS } from 're2js';
import { codePoints } from '../../kernel/text.js';
import { MAX_PATTERN_COST, MAX_PATTERN_LENGTH, MAX_PATTERN_SIZE } from './bounds.js';
import type { Place } from './reading.js';
import type { Shape } from './shape.js';
import { text } from './shapes.js';

/** A valid pattern. */
export interface Pattern {
  readonly source: string;
  readonly compiled: RE2JS;
}

const UNIT = { character: 1, class: 10, unicodeClass: 100 };
const TEXT = text(MAX_PATTERN_LENGTH);
const EXPECTED = `must be a pattern in RE2 syntax of at most ${MAX_PATTERN_LENGTH} characters, without large repetitions`;
const TOO_COSTLY = `must be simpler: all patterns of a category together may cost at most ${MAX_PATTERN_COST}`;

/**
 * A pattern for `matches`. RE2 never backtracks, but compiling takes time that the length alone does not bound, so the patterns of
 * a category share a budget. Once it is spent, no further pattern is compiled.
 */
export const PATTERN: Shape<Pattern> = {
  schema: { ...TEXT.schema, description: 'A pattern in RE2 syntax that may match anywhere in the field.' },
  read: (value, at) => {
    if (typeof value !== 'string' || value.trim() === '') return at.wrong(value, 'invalid_pattern', EXPECTED);
    if (codePoints(value) > MAX_PATTERN_LENGTH) return at.wrong(value, 'too_long', EXPECTED);
    if (!afford(costOf(value), value, at)) return undefined;
    const compiled = compiledOf(value);
    if (!compiled) return at.wrong(value, 'invalid_pattern', EXPECTED);
    const size = compiled.programSize();
    const isSmall = size <= MAX_PATTERN_SIZE;
    if (!isSmall) at.wrong(value, 'invalid_pattern', EXPECTED);
    return afford(size, value, at) && isSmall ? { source: value, compiled } : undefined;
  },
};

/** The first pattern that the budget does not cover is reported; those after it would be, too. */
function afford(cost: number, value: string, at: Place): boolean {
  const { reading } = at;
  const wasWithin = reading.patternCost <= MAX_PATTERN_COST;
  reading.patternCost += cost;
  if (reading.patternCost <= MAX_PATTERN_COST) return true;
  if (wasWithin) at.wrong(value, 'too_costly', TOO_COSTLY);
  return false;
}

/** What compiling a pattern costs apart from its size: classes are many ranges, which ignoring case multiplies. */
function costOf(pattern: string): number {
  const unicodeClasses = pattern.match(/\\[pP]|[^\0-\x7f}]-|\}-|-[^\0-\x7f]|-\\/gu)?.length ?? 0;
  const classes = pattern.match(/\[|\\[wWdDsS]|[^\0-\x7f]/gu)?.length ?? 0;
  return pattern.length * UNIT.character + classes * UNIT.class + unicodeClasses * UNIT.unicodeClass;
}

function compiledOf(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(composed(pattern), RE2JS.CASE_INSENSITIVE);
  } catch {
    // The error's message would repeat the pattern.
    return undefined;
  }
}

/** NFC, not NFKC as for texts: NFKC may turn characters into others with a meaning in patterns. */
export function composed(pattern: string): string {
  return pattern.normalize('NFC');
}
