import { declareEvent, FILLED, type EventDeclaration } from '../../kernel/declare-event.js';
import { BankStatementDto } from './statements.dto.js';

const OF_STATEMENT = { status: 'emitted', data: BankStatementDto, collection: '/v1/bank-statements' } as const;

export const BankStatementReceived: EventDeclaration = declareEvent({
  ...OF_STATEMENT,
  kind: 'bank_statement.received',
  actions: ['bank_statement.imported'],
  summary: 'A bank statement was imported. It is read and redacted later.',
  example: {
    ...Object.fromEntries(
      ['format', 'accountLabel', 'currency', 'periodStart', 'periodEnd', 'lineCount', 'certainty'].map((name) => [name, null]),
    ),
    redactionStatus: 'pending',
    warnings: [],
    contentRemovedAt: null,
  },
});
export const BankStatementUpdated: EventDeclaration = declareEvent({
  ...OF_STATEMENT,
  kind: 'bank_statement.updated',
  actions: ['bank_statement.retried', 'bank_statement.proven'],
  summary: 'A bank statement was moved to another project, queued again, or proven by the balance of an earlier one.',
  example: { contentRemovedAt: null },
});
export const BankStatementRedactionSucceeded: EventDeclaration = declareEvent({
  ...OF_STATEMENT,
  kind: 'bank_statement.redaction_succeeded',
  summary: 'A bank statement was redacted.',
  example: { redaction: FILLED, contentRemovedAt: null },
});
export const BankStatementRedactionFailed: EventDeclaration = declareEvent({
  ...OF_STATEMENT,
  kind: 'bank_statement.redaction_failed',
  summary: 'A bank statement could not be read or redacted.',
  example: {
    redactionStatus: 'failed',
    failure: { code: 'invalid_date', message: 'Line 12 has a date that is invalid in the day and month order of the other lines.' },
    warnings: [],
    contentRemovedAt: null,
  },
});

// Reserved: clients can subscribe to it, but nothing emits it yet.
declareEvent({
  kind: 'bank_statement.redaction_queued',
  status: 'planned',
  summary: 'A bank statement was queued for redaction.',
  data: null,
  read: { scope: 'bank_statements:read' },
});
