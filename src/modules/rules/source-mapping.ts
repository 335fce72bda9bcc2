import { readPercent, type Percent } from '../../kernel/money.js';
import { MAX_CONDITIONS, MAX_RULE_ID_LENGTH, MAX_RULES } from './bounds.js';
import { CONDITION } from './condition.js';
import { Grammar } from './grammar.js';
import type { ReadBy } from './shape.js';
import { converted, list, named, object, text, WHOLE_NUMBER } from './shapes.js';

const PERCENT = converted(
  { type: ['number', 'string'], minimum: 0, maximum: 100, default: 100, pattern: '^\\d{1,3}(\\.\\d{1,4})?$' },
  'a number from 0 to 100 with at most four decimals',
  (value) => (typeof value === 'number' || typeof value === 'string' ? readPercent(String(value)) : undefined),
);
const ALL: Percent = readPercent('100')!;

const CONDITIONS = list(named('SourceMappingCondition', CONDITION));

const RULE = object({
  closed: 'a rule',
  keys: {
    id: { about: 'Your name for the rule.', shape: text(MAX_RULE_ID_LENGTH), otherwise: null },
    claimablePercent: { about: 'How much of a line can be claimed; by default all of it.', shape: PERCENT, otherwise: ALL },
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

const MAPPING = object({
  keys: {
    rules: {
      about: 'A line belongs to the category if one of its rules holds.',
      shape: list(named('SourceMappingRule', RULE), { max: MAX_RULES }),
      otherwise: [],
    },
    priority: { about: 'Of several categories that would claim a line, the highest wins.', shape: WHOLE_NUMBER, otherwise: 0 },
  },
});

export type RuleSource = ReadBy<typeof RULE>;
export type SourceMappingSource = ReadBy<typeof MAPPING>;

/** Which lines belong to a category: `sourceMapping`. */
export const SOURCE_MAPPING = new Grammar('SourceMapping', 'Which lines belong to the category.', MAPPING);
