import { AuditLog } from './audit.js';
import { Caller } from './caller.js';
import { BASE_URL, ERRORS, Resources } from './generated.js';
import type { ClaimsOptions } from './options.js';
import { Reports } from './reports.js';
import { Statements } from './statements.js';

/** The API with one credential. Make one for your whole program: its calls share what they learn about the rate limit. */
export class Claims extends Resources {
  override readonly statements: Statements;
  override readonly reports: Reports;
  override readonly audit: AuditLog;

  constructor(options: ClaimsOptions) {
    const caller = new Caller(options, BASE_URL, ERRORS);
    super(caller);
    this.statements = new Statements(caller);
    this.reports = new Reports(caller);
    this.audit = new AuditLog(caller);
  }
}
