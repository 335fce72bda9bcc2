import type actions from '../../codes/audit-actions.json';

/** Those that are not events: the resource and what was done to it. docs/audit-actions.md is made of the file and of the events. */
export type AuditAction = keyof typeof actions;
