export { isGuessed } from './guessed-passwords.js';
