/** The job that redacts what was imported. */
export const REDACT = 'statements.redact';
