import { Problem } from '../../kernel/problems.js';
import { isDecodable } from '../../kernel/text.js';

const SEGMENT = /[^/]+/g;
/** A percent sign that two hexadecimal digits do not follow, with what follows it instead. */
const NO_ESCAPE = /%(?![0-9a-f]{2})[^/]{0,2}/i;
const SHOWN_MAX = 60;

/** The problem of a path that cannot be decoded. It shows the place: a long path has many segments. */
export function badPath(url: string, cause: Error): Problem {
  const [path = ''] = url.split('?');
  const segment = path.match(SEGMENT)?.find((candidate) => !isDecodable(candidate));
  if (segment === undefined) return new Problem('bad_request', { cause });
  const wrong = NO_ESCAPE.exec(segment)?.[0];
  const detail =
    wrong === undefined
      ? `The percent-escapes in ${shown(segment)} of the path are not UTF-8.`
      : `The path has ${wrong}, which is no percent-escape. A percent sign is written as %25.`;
  return new Problem('bad_request', { detail, cause });
}

const shown = (segment: string): string => (segment.length > SHOWN_MAX ? `${segment.slice(0, SHOWN_MAX)}…` : segment);
