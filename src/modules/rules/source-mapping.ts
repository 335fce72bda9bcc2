import { RE2JS } from 're2js';
import { wholeNumber } from '../../api/validation/whole-number.js';
import { isWrittenMoney, type Money, MONEY_PATTERN, moneyOf, type Percent, readMoney, readPercent } from '../../kernel/money.js';
import { codePoints } from '../../kernel/text.js';
import { MAX_ACCOUNT_LENGTH, MAX_CODE_PATTERN_LENGTH, MAX_CONDITIONS, MAX_PATTERN_COST, MAX_PATTERN_LENGTH } from './bounds.js';
import { MAX_PATTERN_SIZE, MAX_RULE_ID_LENGTH, MAX_RULES, MAX_TEXT_LENGTH } from './bounds.js';
import { checkKeys, converted, currencyCode, DATE, Grammar, list, named, object, objectOf, objectSchema, oneOf, Place } from './shapes.js';
import { Reading, text, WHOLE_NUMBER } from './shapes.js';
import type { JsonSchema, ReadBy, Shape } from './shapes.js';

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
const PATTERN: Shape<Pattern> = {
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
export const composed = (pattern: string): string => pattern.normalize('NFC');

export type TextField = 'description' | 'counterparty' | 'account' | 'reference';
type EqualityOp = 'is' | 'isNot' | 'oneOf';
export type TextOp = EqualityOp | 'contains' | 'startsWith' | 'endsWith';
export type ValueOp = EqualityOp | 'gte' | 'lte' | 'between';

/** A condition of a rule as it was written, with its values read. Only `oneOf` and `between` have several. */
export type RuleCondition =
  | { readonly field: TextField; readonly op: TextOp; readonly values: readonly string[] }
  | { readonly field: TextField; readonly op: 'matches'; readonly values: readonly [Pattern] }
  | { readonly field: 'amount'; readonly op: ValueOp; readonly values: readonly Money[] }
  | { readonly field: 'date' | 'direction' | 'currency'; readonly op: ValueOp; readonly values: readonly string[] };

/** The shape of the value for each op of a field. */
type Ops = Readonly<Record<string, Shape<readonly unknown[]>>>;

function one<T>({ schema, read }: Shape<T>): Shape<readonly T[]> {
  return {
    schema,
    read: (value, at) => {
      const found = read(value, at);
      return found === undefined ? undefined : [found];
    },
  };
}

function equality<T>(value: Shape<T>): Ops {
  const single = one(value);
  return { is: single, isNot: single, oneOf: list(value, { min: 1 }) };
}

function textOps(): Ops {
  const value = text(MAX_TEXT_LENGTH);
  const { is, ...others } = equality(value);
  return { is: is!, ...others, contains: is!, startsWith: is!, endsWith: is!, matches: one(PATTERN) };
}

function ordered<T extends Money | string>(value: Shape<T>): Ops {
  const { is, ...others } = equality(value);
  const pair = list(value, { min: 2, max: 2 });
  const between: Shape<readonly T[]> = {
    schema: pair.schema,
    read: (given, at) => {
      const found = pair.read(given, at);
      if (found === undefined || found[0]! <= found[1]!) return found;
      return at.wrong(given, 'not_allowed', 'must have the smaller value first');
    },
  };
  return { is: is!, ...others, gte: is!, lte: is!, between };
}

const AMOUNT = converted(
  { type: ['string', 'number'], pattern: '^\\d+(\\.\\d{1,18})?$', minimum: 0 },
  'an amount of 0 or more, such as "12.50", with at most 18 decimals (amounts are compared without their sign)',
  (value) => (typeof value === 'string' || typeof value === 'number' ? withoutSign(String(value)) : undefined),
);

const withoutSign = (amount: string): Money | undefined => (amount.startsWith('-') ? undefined : readMoney(amount));

const TEXT_OPS = textOps();
const FIELDS: Readonly<Record<string, Ops>> = {
  description: TEXT_OPS,
  counterparty: TEXT_OPS,
  account: TEXT_OPS,
  reference: TEXT_OPS,
  amount: ordered(AMOUNT),
  direction: equality(oneOf(['in', 'out'])),
  currency: equality(currencyCode('EUR')),
  date: ordered(DATE),
};

const FIELD = oneOf(Object.keys(FIELDS));
const KEYS = ['field', 'op', 'value'];

const CONDITION: Shape<RuleCondition> = {
  schema: { description: 'A condition on a field of a line.', oneOf: variants() },
  read: (value, at) => {
    const given = objectOf(value, at);
    if (!given) return undefined;
    const areKnown = checkKeys(given, { names: KEYS }, at, 'a condition');
    const field = FIELD.read(given.field, at.key('field'));
    const read = field === undefined ? undefined : readTest(FIELDS[field]!, given, at);
    return areKnown && read ? ({ field, ...read } as RuleCondition) : undefined;
  },
};

function readTest(ops: Ops, given: Record<string, unknown>, at: Place): { op: string; values: readonly unknown[] } | undefined {
  const op = oneOf(Object.keys(ops)).read(given.op, at.key('op'));
  const values = op === undefined ? undefined : ops[op]!.read(given.value, at.key('value'));
  return op !== undefined && values ? { op, values } : undefined;
}

/** One schema for all fields and ops that take the same value. */
function variants(): JsonSchema[] {
  return [...new Set(Object.values(FIELDS))].flatMap((ops) =>
    [...new Set(Object.values(ops))].map((shape) =>
      objectSchema(
        {
          field: {
            type: 'string',
            enum: Object.keys(FIELDS).filter((name) => FIELDS[name] === ops),
            description: 'The field of the line.',
          },
          op: { type: 'string', enum: Object.keys(ops).filter((name) => ops[name] === shape), description: 'How to compare it.' },
          value: { description: 'What to compare it with.', ...shape.schema },
        },
        { required: KEYS },
      ),
    ),
  );
}

const FOUR_DECIMALS = 'a number from 0 to 100 with at most four decimals';
const percentOf = (value: unknown): Percent | undefined =>
  typeof value === 'number' || typeof value === 'string' ? readPercent(String(value)) : undefined;

const PERCENT = converted(
  { type: ['number', 'string'], minimum: 0, maximum: 100, default: 100, pattern: '^\\d{1,3}(\\.\\d{1,4})?$' },
  FOUR_DECIMALS,
  percentOf,
);
const ALL: Percent = readPercent('100')!;

const TAX: Shape<Percent | null> = converted(
  { type: ['number', 'string', 'null'], minimum: 0, maximum: 100, pattern: '^\\d{1,3}(\\.\\d{1,4})?$' },
  `${FOUR_DECIMALS}, or null`,
  (value) => (value === null ? null : percentOf(value)),
);

const CONDITIONS = list(named('SourceMappingCondition', CONDITION));

const RULE = object({
  closed: 'a rule',
  keys: {
    id: { about: 'Your name for the rule.', shape: text(MAX_RULE_ID_LENGTH), otherwise: null },
    claimablePercent: { about: 'How much of a line can be claimed; by default all of it.', shape: PERCENT, otherwise: ALL },
    taxPercent: { about: 'Tax that the claim contains; `null`: not stated.', shape: TAX, otherwise: null },
    all: { about: 'All of these must hold.', shape: CONDITIONS, otherwise: [] },
    any: { about: 'At least one of these must hold, if there are any.', shape: CONDITIONS, otherwise: [] },
    none: { about: 'None of these must hold.', shape: CONDITIONS, otherwise: [] },
  },
  also: (rule, at) => {
    if (rule.all.length + rule.any.length === 0)
      return at.wrong(rule, 'required', 'must have a condition in all or any; without one, it would claim every line');
    const isBounded = rule.all.length + rule.any.length + rule.none.length <= MAX_CONDITIONS;
    return isBounded ? rule : at.wrong(rule, 'too_many', `must have at most ${MAX_CONDITIONS} conditions`);
  },
});

const ACCOUNT: Shape<string | null> = converted(
  { anyOf: [{ type: 'string', maxLength: MAX_ACCOUNT_LENGTH, pattern: '\\S' }, wholeNumber(0), { type: 'null' }] },
  `a text of 1 to ${MAX_ACCOUNT_LENGTH} characters, a whole number or null`,
  (value) => {
    if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? String(value) : undefined;
    if (typeof value !== 'string') return value === null ? null : undefined;
    return value.trim() !== '' && codePoints(value) <= MAX_ACCOUNT_LENGTH ? value.trim() : undefined;
  },
);

const ACCOUNTS = {
  account: { about: 'Account of the bookings in the `journal` and `datev` files.', shape: ACCOUNT, otherwise: null },
  contraAccount: { about: 'Contra account of these bookings.', shape: ACCOUNT, otherwise: null },
  taxKey: { about: 'Tax key of these bookings; `null` for none.', shape: ACCOUNT, otherwise: null },
};

const RECEIPT = object({
  closed: 'what is wanted of receipts',
  keys: {
    from: {
      about: 'The least amount of such a line, in the currency of the report.',
      shape: converted(
        { type: 'string', pattern: MONEY_PATTERN, examples: ['50.00'] },
        'an amount from 0 as a text, such as "50.00"',
        (value): Money | undefined =>
          typeof value === 'string' && isWrittenMoney(value) && moneyOf(value) >= 0n ? moneyOf(value) : undefined,
      ),
    },
  },
});

const MAPPING = object({
  keys: {
    rules: {
      about: 'A line belongs to the category if one of its rules holds.',
      shape: list(named('SourceMappingRule', RULE), { max: MAX_RULES }),
      otherwise: [],
    },
    priority: { about: 'Of several categories that would claim a line, the highest wins.', shape: WHOLE_NUMBER, otherwise: 0 },
    receipt: { about: 'Its lines need a receipt: reports warn of those without one. An addition.', shape: RECEIPT, otherwise: null },
    ...ACCOUNTS,
  },
});

export type RuleSource = ReadBy<typeof RULE>;

export const SOURCE_MAPPING = new Grammar('SourceMapping', 'Which lines belong to the category.', MAPPING);
const BOOKING_ACCOUNTS = object({ keys: ACCOUNTS });
export type BookingAccounts = ReadBy<typeof BOOKING_ACCOUNTS>;

/** The accounts of a mapping that follows the grammar, without compiling its patterns. */
export const bookingAccountsOf = (mapping: object): BookingAccounts => BOOKING_ACCOUNTS.read(mapping, new Place(new Reading()))!;

const CODES = text(MAX_CODE_PATTERN_LENGTH);

/**
 * Which categories a report has: `categoryFilter`. An omitted key does not restrict anything, except that archived categories must
 * be requested. An empty `include` or `status` is refused: it would leave no category, while its author most likely meant "all".
 */
export const CATEGORY_FILTER = new Grammar(
  'CategoryFilter',
  'Which categories the report has.',
  object({
    keys: {
      include: { about: 'Codes; `*` matches any characters. By default all.', shape: list(CODES, { min: 1 }), otherwise: null },
      exclude: { about: 'Codes; `*` matches any characters.', shape: list(CODES), otherwise: [] },
      status: { about: 'Statuses of categories.', shape: list(oneOf(['active', 'archived']), { min: 1 }), otherwise: ['active'] },
    },
  }),
);
