/** What a program imports that redacts. README.md says what the package does, and which two other files a program may import. */
export type { Verdict } from './names/counterparties.js';
export { MAX_FILE_NAME_LENGTH, redactFileName } from './redact-file-name.js';
export { checkRedactedLine, MAX_NAMES, type MaskedName, REDACTION_VERSION } from './redactor.js';
export { type RedactedLine, type RedactionOptions, Redactor, ResidualData } from './redactor.js';
export { looksMasked, type OwnAccount, ownAccountOf } from './tokens/account-key.js';
