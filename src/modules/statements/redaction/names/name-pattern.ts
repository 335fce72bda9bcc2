/** Patterns of names, for regular expressions with the flag `u`. */

/** A capitalised word that is not a token. */
export const WORD = "(?!(?:PERSON|ACCOUNT)-)\\p{Lu}[\\p{L}'’]{1,30}(?:-\\p{Lu}[\\p{L}'’]{1,30})?";
export const INITIALS = '(?:\\p{Lu}\\.? ){0,3}';
export const PARTICLES =
  '(?:(?:van|von|vom|de|der|den|del|della|di|da|dos|du|la|le|el|al|af|av|bin|zu|zum|zur|ten|ter|' +
  'VAN|VON|VOM|DE|DER|DEN|DEL|DI|DA|DOS|DU|LA|LE|EL|AL|AF|AV|BIN|ZU|ZUM|ZUR|TEN|TER) ){0,3}';
export const SURNAME = `${INITIALS}${PARTICLES}${WORD}`;
export const START = '(?<![\\p{L}\\p{N}])';
export const END = '(?![\\p{L}\\p{N}])';
