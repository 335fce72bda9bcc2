import { expect, it } from 'vitest';
import { suggestedWords } from './line-rule.console.js';

it.each([
  ['Ticket Berlin-Hamburg', 'Ticket Berlin-Hamburg'],
  ['CARD PAYMENT 4821 SPOTIFY AB 2026-01-03', 'SPOTIFY'],
  ['Kartenzahlung  Bäckerei\tMüller GmbH 12.01.', 'Bäckerei Müller'],
  ['Please pay to ACCOUNT-7Q2M4XKD9ABC or mail [EMAIL]', 'mail'],
  ['PERSON-ABCDEFGHJKMN Rent, flat and garage in town', 'Rent'],
  ['One Two Three Four Five', 'One Two Three'],
  ['2026-01-03 4821', ''],
  ['', ''],
])('%s: suggests "%s", which the line contains', (description, words) => {
  expect(suggestedWords(description)).toBe(words);
  expect(description.replace(/\s+/g, ' ')).toContain(words);
});
