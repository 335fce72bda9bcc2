import { expect, it } from 'vitest';
import { inWords } from './durations.js';

it.each([
  [5 * 86_400_000, '5 days'],
  [2 * 86_400_000, '2 days'],
  [86_400_000, '24 hours'],
  [3_600_000, '1 hour'],
  [90 * 60_000, '90 minutes'],
  [60_000, '1 minute'],
  [15_000, '15 seconds'],
  [1000, '1 second'],
  [250, '250 milliseconds'],
])('writes %i ms as "%s"', (ms, words) => {
  expect(inWords(ms)).toBe(words);
});
