import { CALLS_AT_ONCE } from '../../src/api/limits/calls-at-once.js';
import { OWN_LIMITS, type OwnLimit } from '../../src/api/limits/own-limits.js';
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
const limitOf = (name: OwnLimit): string => `${NUMBERS.format(OWN_LIMITS[name].min)} to ${NUMBERS.format(OWN_LIMITS[name].max)}`;
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

const FIND_THE_REQUEST = [
  '## Find the request',
  'From an answer in your log, its `requestId` leads to the call: what was asked for, by which key, from where, and how long it took. ' +
    'The id is yours if you send one:',
  '```sh\ncurl "$CLAIMS_BASE_URL/v1/claim-projects?pagesize=5" -H "X-API-Key: $CLAIMS_API_KEY" -H "X-Request-Id: import-42"\n' +
    'curl "$CLAIMS_BASE_URL/v1/requests?request_id=import-42" -H "X-API-Key: $CLAIMS_API_KEY"\n```',
  'It takes the scope `requests:read`, and of a person the role `owner`. With `failed=true` the list has all calls that failed, newest ' +
    'first; follow `nextCursor` while `hasMore` is true. Bodies and queries are never kept. `kept` says which calls are: the service may ' +
    'keep none, or a part of those that succeeded, and of each second a bounded number.',
  'People open the page in `type` and enter the `requestId` there: the console shows the call, to all members of the organization.',
  '<!-- shown by `test/e2e/organization/answered-requests.test.ts`: “the page of every problem leads to a call in the console by its ' +
    'request id, in whichever environment it was made” -->',
];

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
        [code('requestId'), 'Names the request: it leads to the call, as said below. Send it to us if you need help.'],
        [code('type'), 'The address of a page about the code, with the values that this service is set to.'],
      ],
    ),
    'How to repeat: [idempotency](idempotency.md#when-to-repeat).',
    ...FIND_THE_REQUEST,
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
    'A key alone can use the whole rate. Half of it comes back for the others, so one that never stops gets the other half; ' +
      '`RateLimit` then names the limit `"share"`. Owners and admins can set limits for each, in the ' +
      'console, and the operator with `claims key set ID --share 20 --daily-calls 50000` and `claims app set`. All tokens of an ' +
      'application count together, and a copy of a key by a rotation has the same limits, but counts by itself:',
    table(
      ['Limit', 'What it is'],
      [
        [
          'Share',
          `${limitOf('rateShare')} percent of the requests per minute and at once, which it never exceeds, also if nothing else ` +
            'calls. It takes the place of the half',
        ],
        [
          'Calls a day',
          `${limitOf('dailyCalls')} calls from midnight to midnight UTC, for each environment. A call that a limit refuses is not counted`,
        ],
        ['Writes by tools', `${limitOf('dailyWrites')} in 24 hours, of each connection of a language model`],
        ['Tokens by tools', `${limitOf('dailyTokens')} that the answers of tools have in 24 hours, of each such connection`],
      ],
    ),
    'The headers name the limit that leaves least. With a share it is `"share"`, with calls of a day `"day"`, such as ' +
      '`RateLimit: "day";r=12;t=3600` and `RateLimit-Policy: "day";q=50000;w=86400, "growth";q=600;w=60`.',
    'Beyond the calls of a day, `Retry-After` is the time until midnight UTC. With Redis they are counted exactly, for all ' +
      'processes together; if Redis loses its memory, from nothing. While Redis does not answer, each process allows its part ' +
      'of them, counted by itself: such a day can have up to twice as many. Without Redis a process counts by itself, and anew ' +
      'after a restart. At 80 percent the owners get a mail, and receivers the event [`usage.budget_used`](events.md), within ' +
      'about a minute. `GET /v1/usage` says what each key and application has called.',
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
        [
          '`total` is counted up to',
          `${NUMBERS.format(COUNTED_AT_MOST)}; with a search, or a credential for several projects, ${NUMBERS.format(FOUND_AT_MOST)}`,
        ],
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
