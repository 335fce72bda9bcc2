export { StatementsModule } from './statements.module.js';
export { StatementsService, type ReadableStatement } from './statements.service.js';
export { CounterpartyDecisionsService, type ShownDecision } from './content/counterparty-decisions.service.js';
export { StatementOperatorService } from './statement-operator.service.js';
export { BankStatementDto } from './statements.dto.js';
export { BankStatementRedactionFailed, BankStatementRedactionSucceeded } from './statements.events.js';
export { checkStatement, type CheckedStatement } from './formats/check-statement.js';
export { entriesOf } from './formats/archive/zip-archive.js';
export type { NewStatement } from './import/new-statement.js';
