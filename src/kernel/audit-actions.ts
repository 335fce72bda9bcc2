/**
 * The actions of the audit log that are not events, each with what happened. An action is the resource and what was done to it.
 * docs/audit-actions.md is generated from this list and from the declared events.
 */
export const AUDIT_ACTIONS = {
  'api_key.created': 'An API key was created.',
  'api_key.refused': 'An API key was refused: `changes.reason.to` is `revoked`, `expired` or `address` (not on the allowlist of the key).',
  'api_key.revoked': 'An API key was revoked.',
  'api_key.rotated': 'An API key was replaced by a new one. `changes.expiresAt` says until when the old one works.',
  'api_key.updated': 'The name, scopes, expiry or IP allowlist of an API key was changed.',
  'application.access_given':
    'A user allowed a partner application to access the organization: `changes.scopes.to`. What the user left out is `changes.leftOut.to`.',
  'application.access_refused': 'A user refused a partner application access to the organization.',
  'application.access_revoked':
    'The access of a partner application ended: its user or an admin ended it, it revoked a token, or a code or token was used twice.',
  'application.approved': 'A partner application was approved.',
  'application.connected':
    'A user connected an application that serves every organization, in one environment. `changes.sharedClientId` is its client id.',
  'application.created': 'A partner application was created.',
  'application.keys_changed': 'A partner application got new public keys, which replace its earlier keys or its client secret.',
  'application.secret_rotated': 'A partner application got a new client secret. `changes` says until when the old one works.',
  'application.suspended': 'A partner application was suspended.',
  'application.updated': 'The name, redirect addresses, grants or scopes of an application changed.',
  'bank_statement.content_removed': 'The lines and the file of a bank statement were removed because their retention ended.',
  'bank_statement.file_name_redacted': 'Personal data was taken out of the stored file name of a bank statement.',
  'bank_statement.imported': 'A bank statement was imported.',
  'bank_statement.checked': 'Somebody has asked how a file would be read. Nothing of it was kept.',
  'bank_statement.proven': 'The balance of an earlier bank statement has proven the lines of a later one.',
  'bank_statement.redaction_started': 'A worker began to redact a bank statement.',
  'bank_statement.retried': 'A bank statement whose redaction had failed was queued again.',
  'claim_line.decided': 'Somebody decided what is claimed of lines: `changes.lines.to` says which.',
  'claim_report.names_saved': 'An owner saved the key list of a claim report: the names behind its tokens. `changes.names.to` is how many.',
  'claim_report.started': 'A worker began a claim report run.',
  'counterparty_decision.made': 'The operator, an owner or an admin said that a counterparty is a company or a person, without naming it.',
  'counterparty_decision.removed': 'A decision whether a counterparty is a company or a person was removed.',
  'identity_provider.created': 'The organization set up single sign-on.',
  'identity_provider.removed': 'The organization removed its single sign-on.',
  'identity_provider.updated':
    'The single sign-on of the organization was changed. With `changes.secretReplaced` its client secret was replaced; ' +
    '`changes.passwordsAllowed` says whether its users may sign in with a password.',
  'oauth.refused':
    'An access token was refused: `changes.reason.to` is `revoked`, `expired` or `unproved` (the caller did not prove to hold its key).',
  'organization.application_allowed':
    'The organization allowed an application that serves every organization: the operator, or an owner or admin who connected it.',
  'organization.application_denied': 'The organization denied an application that serves every organization.',
  'organization.applications_changed': 'The rule of the organization about applications that serve every organization changed.',
  'organization.created': 'The organization was created.',
  'organization.erasure_begun': 'The operator began to erase the organization.',
  'organization.exported': 'The operator exported everything that the organization has.',
  'organization.notices_changed': 'The organization chose which notices its owners get by mail: `changes.notices`.',
  'statement_layout.kept': 'The operator kept a layout, by which tables of bank statements are read.',
  'statement_layout.removed': 'A layout for tables of bank statements was removed, or replaced by another one.',
  'upload_link.created': 'A link was made by which somebody without an account uploads bank statements to a project.',
  'upload_link.updated': 'What an upload link asks for was changed.',
  'upload_link.used': 'An upload link was used up: its client finished, or sent the last file that it takes.',
  'upload_link.withdrawn': 'An upload link was withdrawn.',
  'user.accepted': 'A user accepted an invitation.',
  'user.account_joined': 'A user signs in by the same account as in other organizations from now on.',
  'user.created': 'A user was created.',
  'user.link_made': 'A link was made that signs a user in to the console once.',
  'user.password_changed': 'A user chose another password, in the console or by a link that was mailed.',
  'user.password_reset_asked': 'Somebody asked for a link to choose a new password, which was mailed to the user.',
  'user.recovery_codes_made': 'A user had new recovery codes made, which replace the earlier ones.',
  'user.removed': 'A user was removed from the organization.',
  'user.role_changed': 'A user got another role in the organization.',
  'user.sign_in_failed': 'A sign-in failed; `changes.reason` says why.',
  'user.signed_in': 'A user signed in. `changes.recoveryCodes` says that a recovery code was used, and how many are left.',
  'user.totp_disabled': 'The second factor of a user was turned off.',
  'user.totp_enabled': 'A user set up a second factor.',
  'webhook.created': 'A webhook endpoint was created.',
  'webhook.deleted': 'A webhook endpoint was deleted.',
  'webhook.disabled': 'The service disabled a webhook endpoint: `changes.disabledReason.to` is `failing` or `gone`.',
  'webhook.failing':
    'A webhook endpoint, failing since `changes.failingSince`, will be disabled after `changes.disabledAt`. The owners were told, unless ' +
    'the organization has switched that notice off.',
  'webhook.redelivered': 'A delivery was repeated, by the operator or by a user in the console.',
  'webhook.replay_stopped': 'What replays to a webhook endpoint had not sent yet was taken back: `changes.deliveries.from` deliveries.',
  'webhook.replayed': 'The events that a webhook endpoint had missed were replayed.',
  'webhook.updated': 'A webhook endpoint was changed. With `changes.secretRotated` its signing secret was replaced.',
} as const satisfies Record<`${string}.${string}`, string>;

export type AuditAction = keyof typeof AUDIT_ACTIONS;
