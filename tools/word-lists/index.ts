/** The only file that a program imports. README.md says what the package does. */
export { wordListsIn, type WordLists } from './word-lists.js';
