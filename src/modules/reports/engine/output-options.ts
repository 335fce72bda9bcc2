import type { FreeForm } from '../../../kernel/json.js';
import { OUTPUT_FORMATS, type OutputFormat } from '../result.dto.js';
import { JsonField } from './json-field.js';

const GROUPS = ['category', 'month'] as const;
const DETAILS = ['none', 'lines'] as const;

/** The currency of a report, and what its files look like. */
export interface OutputOptions {
  readonly formats: readonly OutputFormat[];
  readonly groupBy: readonly (typeof GROUPS)[number][];
  /** null for the currency that most lines have. */
  readonly currency: string | null;
  readonly includeUncategorised: boolean;
  readonly detail: (typeof DETAILS)[number];
  readonly locale: string;
}

/** Unknown keys belong to the integrator and are ignored. */
export function readOutputOptions(value: FreeForm): OutputOptions {
  const options = new JsonField('invalid_output_options', 'outputOptions', value);
  const read = <T>(name: string, reader: (json: JsonField) => T, otherwise: T): T => {
    const json = options.key(name);
    return json.isGiven ? reader(json) : otherwise;
  };
  return {
    formats: read('formats', (json) => namesAmong(json, OUTPUT_FORMATS), ['json']),
    groupBy: read('groupBy', (json) => namesAmong(json, GROUPS), [...GROUPS]),
    currency: read('currency', readCurrency, null),
    includeUncategorised: read('includeUncategorised', readFlag, true),
    detail: read('detail', (json) => json.oneOf(DETAILS), 'none'),
    locale: read('locale', readLocale, 'en'),
  };
}

/** Without repetitions, in the order given. */
function namesAmong<T extends string>(json: JsonField, allowed: readonly T[]): T[] {
  return [...new Set(json.items().map((item) => item.oneOf(allowed)))];
}

function readCurrency(json: JsonField): string | null {
  if (json.value === null) return null;
  if (typeof json.value !== 'string' || !/^[a-z]{3}$/i.test(json.value))
    return json.fail('be a three-letter currency code, such as EUR, or null');
  return json.value.toUpperCase();
}

function readFlag(json: JsonField): boolean {
  return typeof json.value === 'boolean' ? json.value : json.fail('be true or false');
}

function readLocale(json: JsonField): string {
  const tag = json.text(100);
  try {
    return Intl.getCanonicalLocales(tag)[0]!;
  } catch {
    return json.fail('be a language tag, such as en, de or en-GB');
  }
}
