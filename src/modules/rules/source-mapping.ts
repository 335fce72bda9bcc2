import { wholeNumber } from '../../api/validation/whole-number.js';
import { isWrittenMoney, type Money, moneyOf, MONEY_PATTERN, readPercent, type Percent } from '../../kernel/money.js';
import { codePoints } from '../../kernel/text.js';
import { MAX_ACCOUNT_LENGTH, MAX_CONDITIONS, MAX_RULE_ID_LENGTH, MAX_RULES, MAX_CODE_PATTERN_LENGTH } from './bounds.js';
import { CONDITION } from './condition.js';
import { Grammar } from './grammar.js';
import { Place, Reading, type ReadBy, type Shape } from './shape.js';
import { converted, list, named, object, text, WHOLE_NUMBER, oneOf } from './shapes.js';

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
    receipt: { about: 'Its lines need a receipt: reports warn of those without one. Since 1.1.', shape: RECEIPT, otherwise: null },
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
