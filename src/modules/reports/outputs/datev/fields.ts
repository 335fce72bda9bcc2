import { JobFailure } from '../../../../kernel/failure.js';
import { withoutFormulas } from '../../../../kernel/formula.js';

/** Refuses what the format cannot contain. The message names places, never contents. */
export function notPossible(message: string): never {
  throw new JobFailure('datev_not_possible', `${message} A datev file cannot be made of it.`);
}

/** A text field. What is too long ends with an ellipsis. */
export function quoted(text: string, maxLength = Infinity): string {
  const clean = withoutFormulas(
    text
      .normalize('NFC')
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
  );
  const characters = [...clean];
  const cut = characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : clean;
  return `"${cut.replaceAll('"', '""')}"`;
}
