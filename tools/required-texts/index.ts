export { requiredTexts } from './required-texts.js';
