import { expect, it } from 'vitest';
import { isInRange, isRange } from './version-range.js';

it.each([
  ['1.0.0', '1.0.0'],
  ['^1.0.0', '1.0.0 1.4.2'],
  ['^1.2.3', '1.2.3 1.9.0'],
  ['^0.3.1', '0.3.1 0.3.9'],
  ['^0.0.4', '0.0.4'],
  ['^1', '1.0.0 1.9.9'],
  ['~1.2.3', '1.2.3 1.2.9'],
  ['~1', '1.0.0 1.9.9'],
  ['1.x', '1.0.0 1.9.9'],
  ['1.2.*', '1.2.0 1.2.9'],
  ['1', '1.0.0 1.9.9'],
  ['*', '0.0.1 9.9.9'],
  ['>=1.2.0 <2.0.0', '1.2.0 1.9.9'],
  ['>= 1.2.0 < 2', '1.2.0 1.9.9'],
  ['>1.2', '1.3.0'],
  ['<=1.2', '0.1.0 1.2.9'],
  ['^1.4.0 || ^2.0.0', '1.4.0 2.9.9'],
  // A candidate of a version is tried out as that version.
  ['^1.1.0', '1.1.0-rc.1'],
  ['1.1.0-rc.1', '1.1.0-rc.1'],
])('%s has the versions %s', (range, versions) => {
  expect(isRange(range)).toBe(true);
  for (const version of versions.split(' ')) expect([version, isInRange(version, range)]).toEqual([version, true]);
});

it.each([
  ['1.0.0', '1.0.1 0.9.9 1.0.0-rc.1'],
  ['^1.2.3', '1.2.2 2.0.0 0.9.9'],
  ['^0.3.1', '0.4.0 0.3.0'],
  ['^0.0.4', '0.0.5'],
  ['~1.2.3', '1.3.0 1.2.2'],
  ['1.x', '2.0.0 0.9.9'],
  ['1.2.*', '1.3.0'],
  ['>=1.2.0 <2.0.0', '1.1.9 2.0.0'],
  ['>1.2', '1.2.9'],
  ['<=1.2', '1.3.0'],
  ['^1.4.0 || ^2.0.0', '1.3.9 3.0.0'],
])('%s has not the versions %s', (range, versions) => {
  for (const version of versions.split(' ')) expect([version, isInRange(version, range)]).toEqual([version, false]);
});

it.each(['', ' ', 'latest', '1.0.0.0', '^', '1.0 - 2.0', '^1.0.0 ||', '>=', 'v1', '1.x.3'])('%j is no range', (range) => {
  expect(isRange(range)).toBe(false);
});
