/** How much a request may carry. The problem pages state these limits; the HTTP server enforces them. */
export const BODY_MAX_BYTES = 1024 * 1024;
export const HEADERS_MAX_BYTES = 16 * 1024;
/** Of an Idempotency-Key. */
export const KEY_MAX_LENGTH = 255;
