import { JobFailure } from '../../../kernel/failure.js';

/** Why a run cannot come to a result: the message names the place that has to be mended. */
export class RunFailure extends JobFailure {}
