import { Entity, Index, PrimaryColumn } from 'typeorm';
import { IdColumn, BytesColumn, DateColumn, TextColumn, TimestampColumn } from '../../../store/database/columns.js';
import { Exported, NotExported, PartOf, PersonStays, TableNotReset } from '../../../store/tenant/organization-tables.js';
import type { Environment } from '../../../kernel/context.js';
import type { Verdict } from '../../../../tools/personal-data/index.js';
import { LockedRows } from '../../../store/database/row-security.js';

abstract class OfStatement {
  @PrimaryColumn({ name: 'statement_id', type: 'uuid' }) statementId: string;
  @IdColumn() organizationId: string;
  @TextColumn() environment: Environment;
}

/** A part of an imported file, encrypted. Stored until the statement is redacted. */
@LockedRows()
@Entity('statement_originals')
@PersonStays(['content'])
@PartOf('bank_statements', 'statement_id')
export class StatementOriginal extends OfStatement {
  @PrimaryColumn({ type: 'integer' }) part: number;
  @Exported() @BytesColumn() content: Buffer;
}

@LockedRows()
@Entity('statement_lines')
@PersonStays(['account', 'description', 'counterparty', 'counterparty_account', 'reference', 'amount', 'fingerprint'])
@PartOf('bank_statements', 'statement_id')
export class StatementLineRow extends OfStatement {
  @PrimaryColumn({ name: 'line_number', type: 'integer' }) lineNumber: number;
  @TextColumn({ nullable: true }) account: string | null;
  @DateColumn() bookedOn: string;
  @TextColumn() amount: string;
  @TextColumn({ nullable: true }) currency: string | null;
  @TextColumn() description: string;
  @TextColumn({ nullable: true }) counterparty: string | null;
  @TextColumn({ nullable: true }) counterpartyAccount: string | null;
  @TextColumn({ nullable: true }) reference: string | null;
  @TextColumn() fingerprint: string;
}

/** The names behind the tokens of people in a statement, encrypted, for organizations that keep them. */
@LockedRows()
@Entity('statement_names')
@PersonStays(['names', 'doubtful'])
@PartOf('bank_statements', 'statement_id')
@Index('statement_names_of_organization', ['organizationId', 'environment', 'statementId'])
export class StatementNames extends OfStatement {
  @NotExported() @BytesColumn() names: Buffer;
  /** Those of them that are in doubt; null if there are none. */
  @NotExported() @BytesColumn({ nullable: true }) doubtful: Buffer | null;
}

/** What an organization says that a counterparty is. Its name is not stored, only the token that it has as a person. */
@LockedRows()
@Entity('counterparty_decisions')
@PersonStays(['digest'])
@Index('counterparty_decisions_unique', ['organizationId', 'environment', 'digest'], { unique: true })
export class CounterpartyDecision {
  @IdColumn() id: string;
  @IdColumn() organizationId: string;
  @TextColumn() environment: Environment;
  @TextColumn() digest: string;
  @TextColumn() decidedAs: Verdict;
  @TimestampColumn() decidedAt: string;
}

/** The secret for the tokens of a tenant, encrypted. Without it, nobody can find out whose token it is. */
@LockedRows()
@Entity('redaction_keys')
@TableNotReset('A worker may be using it.')
export class RedactionKey {
  @PrimaryColumn({ name: 'organization_id', type: 'uuid' }) organizationId: string;
  @PrimaryColumn({ type: 'text' }) environment: Environment;
  @BytesColumn() secret: Buffer;
  @TimestampColumn() createdAt: string;
}
