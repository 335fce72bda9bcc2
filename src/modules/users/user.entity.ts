import { Entity, Index } from 'typeorm';
import { BytesColumn, IdColumn, IntegerColumn, TextColumn, TimestampColumn, UuidColumn } from '../../store/database/columns.js';

export const USER_ROLES = ['owner', 'admin', 'member'] as const;
export type UserRole = (typeof USER_ROLES)[number];

export const USER_STATUSES = ['active', 'invited', 'removed'] as const;
export type UserStatus = (typeof USER_STATUSES)[number];

/** A person of an organization, in both of its environments. Who is removed stays as a row: the audit log names it. */
@Entity('users')
@Index('users_email_unique', ['organizationId', 'emailKey'], { unique: true, where: "status <> 'removed'" })
export class User {
  @IdColumn() id: string;
  @UuidColumn() organizationId: string;
  /** As it was typed. */
  @TextColumn() email: string;
  /** One form for all spellings of it. */
  @TextColumn() emailKey: string;
  @TextColumn() name: string;
  @TextColumn() role: UserRole;
  @TextColumn() status: UserStatus;
  /** null: nobody can sign in as this user. */
  @TextColumn({ nullable: true }) passwordHash: string | null;
  /** Encrypted; null: a password is enough. */
  @BytesColumn({ nullable: true }) totpSecret: Buffer | null;
  /** The time step of the code that was used last: no code is good twice. */
  @IntegerColumn({ nullable: true }) totpLastStep: number | null;
  @TimestampColumn() createdAt: string;
  @TimestampColumn() updatedAt: string;
  @TimestampColumn({ nullable: true }) lastSignInAt: string | null;
}
