export { markdown, plainText, sectionsIn, slugs } from './markdown.js';
