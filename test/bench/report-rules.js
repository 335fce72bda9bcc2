// Shared by the benchmarks of reports: categories with rules of every kind, and texts that match them.
export const CATEGORIES = 50;
export const RULES_EACH = 4;

const WORDS =
  'payment hosting services number rail ticket berlin munich invoice card purchase lastschrift transfer coffee shop office depot marketplace order train hotel flight taxi lunch storage cloud licence subscription parking fuel postage insurance'.split(
    ' ',
  );
export const OTHERS = [
  'Nordlicht Energie GmbH',
  'Beispiel Bahn AG',
  'Example Cloud Ltd',
  'Musterhotel KG',
  'PERSON-7Q2M4XKD9A',
  'PERSON-K3V9T0B2YH',
  null,
];
const word = (chance) => WORDS[Math.floor(chance() * WORDS.length)];

/** A pseudo-random generator, which returns the same numbers each time. */
export function seeded(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state / 0x80000000;
  };
}

export function categories() {
  const chance = seeded(7);
  return Array.from({ length: CATEGORIES }, (_, category) => ({
    id: idOf(category),
    projectId: null,
    code: `CATEGORY-${category}`,
    name: `Category ${category}`,
    status: 'active',
    sourceMapping: {
      priority: category % 3,
      rules: Array.from({ length: RULES_EACH }, (_rule, rule) => ruleOf((category * RULES_EACH + rule) % 8, chance)),
    },
  }));
}

/** Rules on texts, amounts, days and parties. A quarter have patterns, which cost most; half of those have no other condition. */
function ruleOf(kind, chance) {
  const [first, second] = [word(chance), word(chance)];
  const pattern = { field: 'description', op: 'matches', value: `\\b${first} (${second}|${word(chance)})\\b.*[0-9]{4}` };
  return [
    {
      claimablePercent: 100,
      all: [{ field: 'description', op: 'contains', value: `${first} ${second}` }],
      none: [{ field: 'direction', op: 'is', value: 'in' }],
    },
    {
      claimablePercent: 33.3333,
      all: [
        { field: 'amount', op: 'between', value: [10, '99.99'] },
        { field: 'date', op: 'gte', value: '2026-06-01' },
      ],
      any: [
        { field: 'description', op: 'startsWith', value: first },
        { field: 'reference', op: 'endsWith', value: second },
      ],
    },
    {
      claimablePercent: 50,
      all: [
        { field: 'counterparty', op: 'oneOf', value: ['Example Cloud Ltd', 'Erika Mustermann'] },
        { field: 'description', op: 'contains', value: second },
        { field: 'account', op: 'endsWith', value: '3000' },
      ],
    },
    { claimablePercent: 19, all: [pattern] },
    {
      claimablePercent: 100,
      any: [
        { field: 'description', op: 'contains', value: first },
        { field: 'counterparty', op: 'is', value: second },
      ],
      none: [{ field: 'amount', op: 'lte', value: 350 }],
    },
    {
      claimablePercent: 70,
      all: [
        { field: 'counterparty', op: 'endsWith', value: 'GmbH' },
        { field: 'description', op: 'startsWith', value: first },
      ],
    },
    {
      claimablePercent: 10,
      all: [
        { field: 'reference', op: 'startsWith', value: `RF-${Math.floor(chance() * 1000)}` },
        { field: 'currency', op: 'oneOf', value: ['EUR', 'USD'] },
      ],
    },
    { claimablePercent: 12.5, all: [pattern, { field: 'amount', op: 'gte', value: 100 }] },
  ][kind];
}

export function descriptionOf(index, chance) {
  return `${Array.from({ length: 8 }, () => word(chance)).join(' ')} ${index}`;
}

export function idOf(number) {
  return `0199e9a4-7c1e-7b6a-9f0e-${String(number).padStart(12, '0')}`;
}
