import { WorkFailure } from '../../platform/jobs/work-failure.js';

/** Why a statement cannot be read or redacted. */
export class StatementFailure extends WorkFailure {}
