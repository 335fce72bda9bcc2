/** The only file that a program imports. README.md says what the package does. */
export { spanColumns } from './borrowed.js';
export { COLOURS, LINE_HEIGHT, Paper, type Texts, type TextStyle } from './paper.js';
