import type { Deprecation } from './operation.js';

/** How long a deprecated operation is answered at least. docs/versioning.md promises it. */
export const DEPRECATION_MONTHS = 12;
/** The address of the policy, below that of the service. */
const POLICY = '/guides/versioning#deprecation';

/** What every answer of a deprecated operation says, for programs (RFC 9745, RFC 8594). */
export const deprecationHeaders = ({ since, sunset }: Deprecation) => ({
  Deprecation: `@${Date.parse(since) / 1000}`,
  Sunset: new Date(sunset).toUTCString(),
  Link: `<${POLICY}>; rel="deprecation"; type="text/html"`,
});

export const deprecationText = ({ since, sunset, instead }: Deprecation): string =>
  `Deprecated since ${since}. It is answered until ${sunset}. ${instead}`;

export function deprecationProblem({ since, sunset }: Deprecation): string | undefined {
  const earliest = new Date(since);
  if (Number.isNaN(earliest.getTime()) || Number.isNaN(Date.parse(sunset))) return 'is deprecated at no date: 2027-01-31 is expected';
  earliest.setUTCMonth(earliest.getUTCMonth() + DEPRECATION_MONTHS);
  return Date.parse(sunset) < earliest.getTime() ? `ends less than ${DEPRECATION_MONTHS} months after its deprecation` : undefined;
}
