import { format } from 'oxfmt';

/** Generated code has the form of all other code. */
export async function formattedText(text: string): Promise<string> {
  const { code, errors } = await format('generated.ts', text, { printWidth: 140, singleQuote: true, trailingComma: 'all' });
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  return code;
}
