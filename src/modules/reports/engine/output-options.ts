import type { FreeForm } from '../../../kernel/json.js';
import { OUTPUT_FORMATS, type OutputFormat } from '../result.dto.js';
import { JsonField } from './json-field.js';

const GROUPS = ['category', 'month'] as const;
const DETAILS = ['none', 'lines'] as const;

/** How the files of a report look, and in which currency it is. */
export interface OutputOptions {
  readonly formats: readonly OutputFormat[];
  readonly groupBy: readonly (typeof GROUPS)[number][];
  /** Null: the currency that most lines have. */
  readonly currency: string | null;
  readonly includeUncategorised: boolean;
  readonly detail: (typeof DETAILS)[number];
  readonly locale: string;
}

/** Keys that are not of these options are the integrator's own, and are left alone. */
export function readOutputOptions(value: FreeForm): OutputOptions {
  const options = new JsonField('invalid_output_options', 'outputOptions', value);
  const read = <T>(name: string, reader: (place: JsonField) => T, otherwise: T): T => {
    const place = options.key(name);
    return place.isGiven ? reader(place) : otherwise;
  };
  return {
    formats: read('formats', (place) => namesAmong(place, OUTPUT_FORMATS), ['json']),
    groupBy: read('groupBy', (place) => namesAmong(place, GROUPS), [...GROUPS]),
    currency: read('currency', readCurrency, null),
    includeUncategorised: read('includeUncategorised', readFlag, true),
    detail: read('detail', (place) => place.oneOf(DETAILS), 'none'),
    locale: read('locale', readLocale, 'en'),
  };
}

/** Each once, in the order in which they were asked for. */
function namesAmong<T extends string>(place: JsonField, allowed: readonly T[]): T[] {
  return [...new Set(place.items().map((item) => item.oneOf(allowed)))];
}

function readCurrency(place: JsonField): string | null {
  if (place.value === null) return null;
  if (typeof place.value !== 'string' || !/^[a-z]{3}$/i.test(place.value)) return place.fail('be three letters such as EUR, or null');
  return place.value.toUpperCase();
}

function readFlag(place: JsonField): boolean {
  return typeof place.value === 'boolean' ? place.value : place.fail('be true or false');
}

function readLocale(place: JsonField): string {
  const tag = place.text(100);
  try {
    return Intl.getCanonicalLocales(tag)[0]!;
  } catch {
    return place.fail('be a language tag such as en, de or en-GB');
  }
}
