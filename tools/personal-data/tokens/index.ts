/** For a program that needs only tokens, and the spelling that they are made of: it loads no list of words. */
export { plainText } from '../finding.js';
export { tokenOf } from './tokens.js';
