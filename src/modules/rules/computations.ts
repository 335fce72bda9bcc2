// What the options of extensions are made from (src/extension-computations.ts).
export { type Shape, DATE, FLAG, list, object, oneOf, text, wholeNumberFrom } from './shapes.js';
