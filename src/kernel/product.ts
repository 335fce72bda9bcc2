export const API_NAME = 'Claims API';
export const API_VERSION = '1.0.0';
export const API_PATH = '/v1';

/** The User-Agent of a first-party client. The audit log shows the channel after the actor's name. */
export const userAgentOf = (channel: string): string => `claims-${channel}/${API_VERSION}`;

export const channelOfUserAgent = (userAgent = ''): string | undefined => /^claims-([a-z]{1,20})\//.exec(userAgent)?.[1];

/** How much a request may carry. The problem pages state these limits; the HTTP server enforces them. */
export const BODY_MAX_BYTES = 1024 * 1024;
export const HEADERS_MAX_BYTES = 16 * 1024;
/** What a body must bring in each ten seconds after its first ten: while one drips, it holds places of its organization. */
export const SLOWEST_BODY = { bytes: 8 * 1024, inMs: 10_000 };
/** What each MiB that has arrived adds to REQUEST_TIMEOUT_MS: the time that a phone with 1 Mbit/s needs for it. */
export const MS_FOR_EACH_MIB = 8000;
/** How many claim projects a credential or an endpoint can be for; one that is for more is for all. */
export const MAX_PROJECTS = 100;
export const LIST_MAX_BYTES = 8 * 1024 * 1024;
/** Of an Idempotency-Key. */
export const KEY_MAX_LENGTH = 255;
/** The record of an event is sent up to this size. */
export const EVENT_DATA_MAX_BYTES = 256 * 1024;
