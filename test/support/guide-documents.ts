import { CALLS_AT_ONCE } from '../../src/api/limits/calls-at-once.js';
import { FIELD_CODES } from '../../src/kernel/field-codes.js';
import { DEFAULT_TIERS } from '../../src/kernel/plans.js';
import { detailOf, PROBLEMS } from '../../src/kernel/problems.js';
import {
  BODY_MAX_BYTES,
  EVENT_DATA_MAX_BYTES,
  HEADERS_MAX_BYTES,
  KEY_MAX_LENGTH,
  LIST_MAX_BYTES,
  MS_FOR_EACH_MIB,
  SLOWEST_BODY,
} from '../../src/kernel/product.js';
import { DEFAULT_RECORD_LIMITS } from '../../src/kernel/record-limits.js';
import { Settings } from '../../src/kernel/settings/settings.js';
import { setting, withSettings } from '../../src/kernel/settings/setting-text.js';
import { COUNTED_AT_MOST, FOUND_AT_MOST } from '../../src/store/tenant/page.js';
import { code, GENERATED, table } from './documents.js';
import type { OpenApi } from './law-document.js';

const NUMBERS = new Intl.NumberFormat('en-GB');
const MIB = 1024 ** 2;
const KIB = 1024;

const MENDS = {
  never: 'Not as it is. Correct the request, or what it depends on, and send a new one with a new Idempotency-Key.',
  same_key: 'With the same Idempotency-Key.',
  later: 'Later, after the seconds of `Retry-After`.',
};

/** Texts of the guides state the defaults of settings. */
const byDefault = (text: string): string => withSettings(text, Settings.from({}));

/** The table of errors, as answers state it. */
export const problemTexts = () =>
  Object.fromEntries(
    Object.entries(PROBLEMS).map(([code, kind]) => [
      code,
      { status: kind.status, title: kind.title, detail: detailOf(kind), retry: kind.retry },
    ]),
  );

export const problemTitles = () => Object.fromEntries(Object.entries(PROBLEMS).map(([code, { title }]) => [code, title]));

/** docs/errors.md: every code with its cause and its mend. */
export function errorsPage(): string {
  const shown = Object.entries(PROBLEMS).map(
    ([name, { status, title, retry, about }]) =>
      `### ${name}\n\n**${status}** ${title}.\n\n${byDefault(about)}\n\nRepeat it? ${MENDS[retry]}`,
  );
  const parts = [
    '# Errors',
    GENERATED,
    'How your program tells errors apart, and which requests to repeat and which to mend.',
    'Every answer that is not 2xx is a problem document (RFC 9457), with the media type `application/problem+json`:',
    '```sh\ncurl "$CLAIMS_BASE_URL/v1/claim-projects?pagesize=5" -H "X-API-Key: $CLAIMS_API_KEY"\n```',
    table(
      ['Field', 'What it is'],
      [
        [code('code'), 'What happened, for programs. A code never changes its meaning; new ones may be added.'],
        [code('status'), 'The HTTP status.'],
        [code('title') + ', ' + code('detail'), 'The same for people. The texts may change.'],
        [code('retry'), '`never`, `same_key` or `later`: whether and how to repeat the request.'],
        [code('errors'), 'Each value that is wrong, with `location`, `field`, `code` and `message`.'],
        [code('requestId'), 'Names the request in our log. Send it to us if you need help.'],
        [code('type'), 'The address of a page about the code, with the values that this service is set to.'],
      ],
    ),
    'How to repeat: [idempotency](idempotency.md#when-to-repeat).',
    '## Codes',
    ...shown,
    '## Codes of values',
    'What `code` can be in an entry of `errors`:',
    table(
      ['Code', 'What is wrong'],
      Object.entries(FIELD_CODES).map(([name, sentence]) => [code(name), sentence]),
    ),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** docs/limits.md: every limit that callers can reach. */
export function limitsPage({ components }: OpenApi): string {
  const { minimum = 1, maximum, default: size } = components.parameters.PageSize!.schema;
  const tiers = Object.entries(DEFAULT_TIERS).map(([plan, { perMinute, burst }]) => [
    plan,
    NUMBERS.format(perMinute),
    NUMBERS.format(burst),
  ]);
  const parts = [
    '# Limits',
    GENERATED,
    'How much, how often and how large, and how to stay below it. These are the defaults. The ' +
      'operator can change some: `RateLimit-Policy` and `GET /v1/organization` state what holds for you.',
    '## Rate',
    table(['Plan', 'Requests per minute', 'At once'], tiers),
    'The rate is that of the organization, counted for each environment. Every answer states it:',
    '```sh\ncurl -o /dev/null -D - "$CLAIMS_BASE_URL/v1/auth/context" -H "X-API-Key: $CLAIMS_API_KEY" | grep -i \'^ratelimit\'\n```',
    '`r` is the number of requests that remain, `t` the seconds until all do. Beyond the limit you get ' +
      '[`rate_limited`](errors.md#rate_limited): wait for the seconds of `Retry-After`, with all of your workers.',
    `An organization can have ${CALLS_AT_ONCE} calls in progress at once in each process; a large list counts as several. ` +
      'Half of them at most are of one key whose bodies are still arriving. Further calls wait for some seconds before they are refused.',
    '## Requests',
    table(
      ['What', 'Limit'],
      [
        ['Body', `${BODY_MAX_BYTES / MIB} MiB`],
        ['All headers together', `${HEADERS_MAX_BYTES / KIB} KiB`],
        ['Idempotency-Key', `1 to ${KEY_MAX_LENGTH} printable ASCII characters`],
        ['How long an Idempotency-Key is remembered', byDefault(setting('idempotencyRetentionMs'))],
        [
          'Time for a request to arrive',
          `${byDefault(setting('requestTimeoutMs'))}, and ${MS_FOR_EACH_MIB / 1000} more for each MiB that has arrived`,
        ],
        ['A body, after its first ten seconds', `at least ${SLOWEST_BODY.bytes / KIB} KiB in each ten`],
      ],
    ),
    '## Lists',
    table(
      ['What', 'Limit'],
      [
        [code('page_size'), `${minimum} to ${maximum}; ${String(size)} if you do not say`],
        ['Size of an answer', `${LIST_MAX_BYTES / MIB} MiB; ask for fewer records if it would be larger`],
        ['`total` is counted up to', `${NUMBERS.format(COUNTED_AT_MOST)}; with a search ${NUMBERS.format(FOUND_AT_MOST)}`],
        ['Record within a webhook message', `${EVENT_DATA_MAX_BYTES / KIB} KiB; a larger one is named, not sent`],
      ],
    ),
    '## Records',
    'How many an organization can have in each environment; members: in all. Beyond it you get ' +
      '[`limit_exceeded`](errors.md#limit_exceeded).',
    table(
      ['Kind', 'Limit'],
      Object.entries(DEFAULT_RECORD_LIMITS).map(([name, limit]) => [code(name), NUMBERS.format(limit)]),
    ),
    'Limits of a report run are in [claim reports](claim-reports.md), those of statements in [bank statements](bank-statements.md), ' +
      'those of deliveries in [webhooks](webhooks.md).',
  ];
  return `${parts.join('\n\n')}\n`;
}
