import { WorkFailure } from '../../../platform/jobs/work-failure.js';

/** Why a run cannot come to a result: the message names the place that has to be mended. */
export class RunFailure extends WorkFailure {}
