import { ACTOR_TYPES, type ActorType, ENVIRONMENTS, type Environment } from '../../kernel/context.js';
import type { StandardPlan } from '../../kernel/plans.js';
import { LIST_MAX_BYTES } from '../../kernel/product.js';
import type { Changes } from '../../kernel/changes.js';
import { DateTime, Flag, FreeFormObject, Integer, ListOf, Nested, OneOf, Text, Timestamp, Uuid } from '../../api/validation/fields.js';
import type { ByPlace } from './audit-chain.js';
import type { AuditEvent } from './audit-event.entity.js';

export const AUDIT_PLAN: StandardPlan = 'enterprise';

export class ListAuditEventsQuery {
  @DateTime({ about: 'Only events added to the log at this time or later.', optional: true, example: '2026-01-01T00:00:00Z' })
  since?: string;

  @DateTime({ about: 'Only events added to the log before this time.', optional: true, example: '2099-01-01T00:00:00Z' })
  until?: string;

  @Text({
    about: 'Only events whose action starts with this text, such as `claim_project.` or `api_key.revoked`.',
    max: 120,
    optional: true,
    example: 'claim_project.',
  })
  action_prefix?: string;

  @OneOf(ACTOR_TYPES, {
    about: 'Only events of this type of actor: people (`user`), the service and its operators (`system`) or programs (`api`).',
    optional: true,
    example: 'api',
  })
  actor_type?: ActorType;

  @Integer({
    about: `Maximum number of events. An answer of more than ${LIST_MAX_BYTES / 1024 ** 2} MiB is refused with 400: ask for fewer.`,
    min: 1,
    max: 500,
    optional: true,
    default: 100,
    example: 100,
  })
  limit: number = 100;

  @DateTime({
    about: '`cursorCreatedAt` of the last `nextCursor`. Send it together with `cursor_id`.',
    optional: true,
    example: '2026-03-01T09:30:00.000Z',
  })
  cursor_created_at?: string;

  @Uuid({ about: '`cursorId` of the last `nextCursor`. Send it together with `cursor_created_at`.', optional: true })
  cursor_id?: string;
}

export class AuditEventActorDto {
  @OneOf(ACTOR_TYPES, { about: 'A person (`user`), the service or its operators (`system`), or a program (`api`).', example: 'api' })
  type: ActorType;
  @Text({ about: 'Id of the person or credential.', nullable: true, example: '0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d21' }) id: string | null;
  @Text({ about: 'Its name at that time.', example: 'Month-end sync' }) name: string;
}

export class AuditEventResourceDto {
  @Text({ about: 'Type of the record: the first part of the action.', example: 'claim_project' }) type: string;
  @Uuid({ about: 'Id of the record.' }) id: string;
}

const HASH = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

export class AuditEventDto {
  @Uuid({ about: 'Id of the event.' }) id: string;
  @OneOf(ENVIRONMENTS, { about: 'Environment of the event; null if it concerns the whole organization.', nullable: true, example: 'test' })
  environment: Environment | null;
  @Timestamp({ about: 'When the change was made.' }) occurredAt: string;
  @Timestamp({ about: 'When the event was added to the log, shortly after the change was committed.' }) createdAt: string;
  @Nested(AuditEventActorDto, { about: 'Who made the change.' }) actor: AuditEventActorDto;
  @Text({ about: 'What was done.', example: 'claim_project.created' }) action: string;
  @Nested(AuditEventResourceDto, { about: 'The record that was changed.' }) resource: AuditEventResourceDto;
  @Text({ about: 'IP address of the caller.', nullable: true, example: '203.0.113.7' }) ipAddress: string | null;
  @Text({ about: '`X-Request-Id` of the request.', nullable: true, example: '0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d22' })
  requestId: string | null;
  @FreeFormObject({
    about:
      'The fields that changed, each with `from` and `to`. A secret, or a value of more than 1 KiB, is replaced by ' +
      '`{"sha256", "bytes"}` of its canonical JSON.',
    example: { name: { from: 'Berlin', to: 'Berlin office' } },
  })
  changes: Changes;
  @Integer({ about: 'Position in the log of the organization: 1, 2, 3 and so on, without gaps.', min: 1, example: 1 }) sequence: number;
  @Text({ about: 'Hash of the previous event; 64 zeros for the first one.', example: '0'.repeat(64) }) previousHash: string;
  @Text({
    about:
      'Hex SHA-256 of `previousHash` followed by this event as canonical JSON (RFC 8785), without `hash`; where there are `commitments`, ' +
      'also without `salts` and the members that they name.',
    example: HASH,
  })
  hash: string;
  @FreeFormObject({
    about:
      'What stands in the hash for members that say who a person is, by their places: hex SHA-256 of a salt followed by the canonical ' +
      'JSON of the value. Absent if there are none. An addition.',
    optional: true,
    example: { 'actor.name': HASH },
  })
  commitments?: ByPlace;
  @FreeFormObject({
    about:
      'The salts of these members. One without a salt was forgotten: the person was erased. The member is `(forgotten)` then, and the ' +
      'address `null`. An addition.',
    optional: true,
    example: { 'actor.name': '8f14e45fceea167a5a36dedd4bea2543' },
  })
  salts?: ByPlace;

  static from(row: AuditEvent): AuditEventDto {
    const { id, environment, occurredAt, createdAt, action, ipAddress, requestId, changes, sequence, previousHash, hash } = row;
    const actor = { type: row.actorType, id: row.actorId, name: row.actorName };
    const resource = { type: row.resourceType, id: row.resourceId };
    const committed = row.commitments ? { commitments: row.commitments, salts: row.salts ?? {} } : {};
    const place = { sequence, previousHash, hash, ...committed };
    return { id, environment, occurredAt, createdAt, actor, action, resource, ipAddress, requestId, changes, ...place };
  }
}

export class AuditEventCursorDto {
  @Timestamp({ about: 'Send this as `cursor_created_at`.' }) cursorCreatedAt: string;
  @Uuid({ about: 'Send this as `cursor_id`.' }) cursorId: string;
}

export class AuditEventPageDto {
  @ListOf(AuditEventDto, { about: 'The events, oldest first.' }) data: AuditEventDto[];
  @Nested(AuditEventCursorDto, {
    about:
      'Points to the last event you received, even when no event follows yet; continue from it at any time. null when there were ' +
      'no events at all.',
    nullable: true,
  })
  nextCursor: AuditEventCursorDto | null;
  @Flag({ about: 'Whether more events follow.', example: false }) hasMore: boolean;
}
