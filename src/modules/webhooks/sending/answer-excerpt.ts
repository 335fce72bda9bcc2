export const EXCERPT_BYTES = 1024;

export interface AnswerExcerpt {
  readonly body: string;
  readonly isTruncated: boolean;
}

/** No secret of a request is longer: a header of the endpoint's own may have as much. */
const LONGEST_SECRET = 1024;
/** Read this much for an excerpt: a secret that begins within the excerpt is then known whole. */
export const READ_FOR_EXCERPT = EXCERPT_BYTES + LONGEST_SECRET;
/** A shorter value would hide harmless text. */
const SHORTEST_SECRET = 6;
/** Secrets that this service gives to people, and the signatures of the request. */
const OURS = /whs(?:ec|k)_[\w+/=]+|pk_(?:test|live)_\w+|v1a?,[\w+/]{20,}=*/g;
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

const masked = (text: string): string => '*'.repeat(text.length);

/** Receivers may repeat the request: its secrets are masked, at their length, so that nothing unmasked moves into the excerpt. */
export function excerptOf(start: Buffer, isLonger: boolean, secrets: readonly string[]): AnswerExcerpt {
  if (start.length === 0) return { body: '', isTruncated: isLonger };
  // As latin1 each byte is a character, whatever the encoding of the rest.
  let text = start.toString('latin1');
  for (const secret of secrets.flatMap(spellings)) text = text.replaceAll(secret, masked);
  const bytes = Buffer.from(text.replace(OURS, masked), 'latin1');
  const isTruncated = isLonger || bytes.length > EXCERPT_BYTES;
  // As a part of a stream, a character that the end has cut is left out.
  const body = new TextDecoder().decode(bytes.subarray(0, EXCERPT_BYTES), { stream: isTruncated });
  return { body: body.replace(CONTROL_CHARACTERS, '\ufffd'), isTruncated };
}

/** How a receiver may write a header value: as it is, within JSON, or without the scheme of `Authorization`. */
function spellings(value: string): string[] {
  const [, credentials = ''] = /^\S+ (\S+)$/.exec(value) ?? [];
  return [value, JSON.stringify(value).slice(1, -1), credentials].filter(({ length }) => length >= SHORTEST_SECRET);
}
