import { MAX_CODE_PATTERN_LENGTH } from './bounds.js';
import { Grammar } from './grammar.js';
import { list, object, oneOf, text } from './shapes.js';

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
