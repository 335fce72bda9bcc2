/** For a program that asks only whether a text is a name: it loads lists of words, but nothing that finds numbers. */
export { looksLikePerson, mayBeName } from './counterparties.js';
