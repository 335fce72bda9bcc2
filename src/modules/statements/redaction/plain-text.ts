const DASHES = /[\u00ad\p{Pd}]/gu;
/** What nobody sees, and code points for private use: one of these stands for a mask while a text is being masked. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Cs}]/gu;
const BLANKS = /[\s\p{Cc}]+/gu;

/**
 * A text as it is looked at and kept: full-width and other forms of letters and digits are the usual ones, nothing invisible is
 * in it, every dash is a hyphen and all white space is one blank. So nothing can hide behind the way in which it is written.
 */
export function plainText(text: string): string {
  const seen = /[^\x20-\x7e]/.test(text)
    ? text.replace(DASHES, '-').replace(UNSEEN, '').normalize('NFKC').replace(DASHES, '-').replace(UNSEEN, '')
    : text;
  return seen.replace(BLANKS, ' ').trim();
}
