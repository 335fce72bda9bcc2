import { expect, it } from 'vitest';
import { wordListsIn } from './index.js';

it('reads the words of a section, which commas separate', () => {
  expect(wordListsIn('words').wordSections('iso-codes').get('currency')).toEqual(expect.arrayContaining(['EUR', 'GBP']));
});

it('leaves out the comment that a list begins with', () => {
  expect(wordListsIn('words').wordList('iso-codes')).not.toContain('#');
});

it('says which folder is missing', () => {
  expect(() => wordListsIn('no/such/words')).toThrow('no/such/words is missing in the folder of the program.');
});
