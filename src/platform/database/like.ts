/** A text as a LIKE pattern that means just this text. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
