import { findingsOf, type Finding } from '../finding.js';
import type { SearchableText } from '../searchable-text.js';

/** Banks without @ in their character set write (at). */
const AT = '(?:@| ?[([]at[)\\]] ?)';
const LOCAL = "[\\p{L}\\p{N}._%+'-]{1,64}";
const DOMAIN = '(?:[\\p{L}\\p{N}-]{1,63}\\.){1,8}\\p{L}{2,24}';
const ADDRESS = new RegExp(`(${LOCAL}${AT}${DOMAIN})`, 'giu');
const WORTH_LOOKING = new RegExp(AT, 'i');

export const findEmails = ({ text }: SearchableText): readonly Finding[] =>
  WORTH_LOOKING.test(text) ? findingsOf('email', ADDRESS, text) : [];
