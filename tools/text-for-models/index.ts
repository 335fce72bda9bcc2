export { costOf, cut, type Cuts, CUTS_MAX, firstThatFit, LEAST, noteList } from './cut.js';
export { visible, visibleText } from './visible-text.js';
