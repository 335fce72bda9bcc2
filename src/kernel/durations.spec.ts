import { expect, it } from 'vitest';
import { inWords, roughlyInWords } from './durations.js';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

it.each([
  [0, '0 seconds'],
  [1, '1 millisecond'],
  [1500, '1500 milliseconds'],
  [1000, '1 second'],
  [90_000, '90 seconds'],
  [MINUTE, '1 minute'],
  [90 * MINUTE, '90 minutes'],
  [HOUR, '1 hour'],
  [24 * HOUR, '24 hours'],
  [36 * HOUR, '36 hours'],
  [48 * HOUR, '2 days'],
  [30 * DAY, '30 days'],
])('%i ms is %s', (ms, words) => {
  expect(inWords(ms)).toBe(words);
});

it.each([
  [0, '0 seconds'],
  [700, '700 milliseconds'],
  [1700, '1700 milliseconds'],
  [100_000, '100 seconds'],
  [150_000, '3 minutes'],
  [27 * HOUR + 35 * MINUTE + 5000, '28 hours'],
  [5 * DAY + HOUR, '5 days'],
])('%i ms is about %s', (ms, words) => {
  expect(roughlyInWords(ms)).toBe(words);
});
