import { wordListsIn } from '../word-lists/index.js';

export const { wordList, wordSections } = wordListsIn('tools/bank-tables/words');
