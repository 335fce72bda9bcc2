import { declareEvent } from '../../kernel/declare-event.js';
import { BankStatementDto } from './statements.dto.js';

export const BankStatementRedactionSucceeded = declareEvent({
  kind: 'bank_statement.redaction_succeeded',
  status: 'emitted',
  summary: 'A bank statement was redacted.',
  data: BankStatementDto,
  collection: '/v1/bank-statements',
});
export const BankStatementRedactionFailed = declareEvent({
  kind: 'bank_statement.redaction_failed',
  status: 'emitted',
  summary: 'A bank statement could not be read or redacted.',
  data: BankStatementDto,
  collection: '/v1/bank-statements',
});

// Reserved: clients can subscribe to it, but nothing emits it yet.
declareEvent({
  kind: 'bank_statement.redaction_queued',
  status: 'planned',
  summary: 'A bank statement was queued for redaction.',
  data: null,
});
