import { JobFailure } from '../../kernel/failure.js';

/** Why a statement cannot be read or redacted. */
export class StatementFailure extends JobFailure {}
