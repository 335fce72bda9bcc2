/**
 * How many rows a job deletes at once. A write that needs one of them waits for the batch, and must not wait for more than a
 * tenth of a second.
 */
export const ROWS_PER_DELETE = 1000;
