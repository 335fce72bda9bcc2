import type actions from '../../codes/audit-actions.json';

/** Those that are not events: the resource and what was done to it. docs/audit-actions.md is made of the file and of the events. */
export type AuditAction = keyof typeof actions;

/** What is shown instead of a value that said who a person is, after the person was forgotten. */
export const FORGOTTEN = '(forgotten)';

/**
 * The fields in `changes` that say who a person is, by the type of the record: of a `user` the user, and else the user who makes the
 * change. Beside them stand the name and the address of the actor.
 */
export const PERSONAL_FIELDS: Readonly<Record<string, readonly string[]>> = {
  user: ['customFields', 'email', 'name'],
  upload_link: ['createdByName'],
  claim: ['by'],
};
