/** The job that makes the claim reports that were asked for. */
export const RUN_REPORTS = 'reports.run';
