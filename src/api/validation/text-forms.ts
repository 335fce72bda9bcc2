import { EMAIL_MAX_LENGTH, isCountry, isCurrency, isEmail } from '../../kernel/codes.js';
import type { FieldCode } from '../../kernel/field-codes.js';
import { decimalForm, isWrittenMoney, MONEY_MAX_LENGTH, MONEY_PATTERN, moneyOf } from '../../kernel/money.js';
import { isWrittenPercent, PERCENT_MAX_LENGTH, PERCENT_PATTERN } from '../../kernel/money.js';
import { codePoints, INVALID_TEXT, isStorableText } from '../../kernel/text.js';
import { field, type About, type FieldDeclaration } from './field.js';

interface Form {
  readonly schema: { readonly pattern?: string; readonly format?: string; readonly maxLength?: number };
  readonly example: string;
  readonly code: FieldCode;
  readonly expected: string;
  readonly fits: (text: string) => boolean;
  /** The smallest and the largest that it may be. */
  readonly bounds?: readonly [string, string];
  readonly column?: FieldDeclaration['column'];
}

function form(options: About, { schema, example, code, expected, fits, bounds, column }: Form): PropertyDecorator {
  const check: FieldDeclaration['check'] = (value) => {
    if (typeof value !== 'string') return { code: 'wrong_type', message: `must be ${expected}` };
    if (!fits(value)) return { code, message: `must be ${expected}` };
    const isWithin = bounds === undefined || (moneyOf(value) >= moneyOf(bounds[0]) && moneyOf(value) <= moneyOf(bounds[1]));
    return isWithin ? undefined : { code: 'out_of_range', message: `must be from ${bounds[0]} to ${bounds[1]}` };
  };
  return field({ about: { example, ...options }, schema: { type: String, ...schema }, check, ...(column && { column }) });
}

/** A country: its code in ISO 3166-1 alpha-2. */
export function Country(options: About): PropertyDecorator {
  const expected = 'a country code of two capital letters (ISO 3166-1), like DE';
  const schema = { pattern: '^[A-Z]{2}$', maxLength: 2 };
  return form(options, { schema, example: 'DE', code: 'invalid_country', expected, fits: isCountry });
}

/** A currency in use: its code in ISO 4217. */
export function Currency(options: About): PropertyDecorator {
  const expected = 'a currency code of three capital letters (ISO 4217), like EUR';
  const schema = { pattern: '^[A-Z]{3}$', maxLength: 3 };
  return form(options, { schema, example: 'EUR', code: 'invalid_currency', expected, fits: isCurrency });
}

/** An exact amount as text, as reports have them: JSON numbers are inexact. Its column is `MoneyColumn`. */
export function Money(options: About): PropertyDecorator {
  const expected = 'a decimal as a string, like "12.50", with at most 18 digits before the point and 18 after it, without leading zeros';
  const schema = { pattern: MONEY_PATTERN, maxLength: MONEY_MAX_LENGTH };
  return form(options, { schema, example: '12.50', code: 'invalid_amount', expected, fits: isWrittenMoney, column: 'numeric' });
}

/** A percentage from 0 to 100 as text, as exact as `Money`. Its column is `PercentColumn`. */
export function Percent(options: About): PropertyDecorator {
  const expected = 'a percentage from 0 to 100 as a string, like "12.5", with at most 4 digits after the point and without leading zeros';
  const schema = { pattern: PERCENT_PATTERN, maxLength: PERCENT_MAX_LENGTH };
  return form(options, { schema, example: '12.5', code: 'invalid_percent', expected, fits: isWrittenPercent, column: 'numeric' });
}

interface DecimalOptions extends About {
  places: number;
  min: string;
  max: string;
  example?: string;
}

/**
 * An exact decimal as text, such as hours or a distance. The bounds are texts as well, and are among what it may be. Its column is
 * `DecimalColumn`.
 */
export function Decimal({ places, min, max, ...own }: DecimalOptions): PropertyDecorator {
  const { pattern, maxLength, isWritten } = decimalForm(places, min, max);
  const digits = `at most ${places} digit${places === 1 ? '' : 's'} after the point`;
  const expected = `a decimal as a string, like "${own.example ?? max}", with ${digits} and without leading zeros`;
  const about = { ...own, about: `${own.about} From ${min} to ${max}, with ${digits}.` };
  const kind = { example: max, code: 'invalid_decimal', expected, fits: isWritten, bounds: [min, max], column: 'numeric' } as const;
  return form(about, { schema: { pattern, maxLength }, ...kind });
}

export function Email(options: About): PropertyDecorator {
  const schema = { format: 'email', maxLength: EMAIL_MAX_LENGTH };
  const expected = `an e-mail address of at most ${EMAIL_MAX_LENGTH} characters`;
  const fits = (text: string): boolean => isStorableText(text) && isEmail(text);
  return form(options, { schema, example: 'jane@accountants.example', code: 'invalid_email', expected, fits });
}

/** A text that matches a pattern as a whole. `expected` says what that is, as in "must be six digits". */
export function Matching(pattern: RegExp, options: About & { max: number; expected: string; example: string }): PropertyDecorator {
  const { max, expected, ...about } = options;
  const whole = new RegExp(`^(?:${pattern.source})$`, 'u');
  return field({
    about,
    schema: { type: String, pattern: whole.source, maxLength: max },
    check: (value) => {
      if (typeof value !== 'string') return { code: 'wrong_type', message: 'must be a string' };
      if (!isStorableText(value)) return INVALID_TEXT;
      // First the length: it bounds the time that the pattern takes.
      if (codePoints(value) > max) return { code: 'too_long', message: `must have at most ${max} characters` };
      return whole.test(value) ? undefined : { code: 'not_allowed', message: `must be ${expected}` };
    },
  });
}
