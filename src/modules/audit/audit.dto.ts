import { ACTOR_TYPES, type ActorType, ENVIRONMENTS, type Environment } from '../../kernel/context.js';
import type { Changes } from '../../kernel/changes.js';
import { DateTime, Flag, FreeFormObject, Integer, ListOf, Nested, OneOf, Text, Timestamp, Uuid } from '../../api/validation/fields.js';
import type { AuditEvent } from './audit-event.entity.js';

export class ListAuditEventsQuery {
  @DateTime({ about: 'Only events that entered the log at this time or later.', optional: true, example: '2026-01-01T00:00:00Z' })
  since?: string;

  @DateTime({ about: 'Only events that entered the log before this time.', optional: true, example: '2099-01-01T00:00:00Z' })
  until?: string;

  @Text({
    about: 'Only events whose action begins so: `claim_project.` or `api_key.revoked`.',
    max: 120,
    optional: true,
    example: 'claim_project.',
  })
  action_prefix?: string;

  @OneOf(ACTOR_TYPES, {
    about: 'Only events of such actors: people (`user`), the service and its operators (`system`), programs (`api`).',
    optional: true,
    example: 'api',
  })
  actor_type?: ActorType;

  @Integer({ about: 'How many events at most.', min: 1, max: 500, optional: true, default: 100, example: 100 })
  limit: number = 100;

  @DateTime({
    about: '`cursorCreatedAt` of the `nextCursor` that you were given last; together with `cursor_id`.',
    optional: true,
    example: '2026-03-01T09:30:00.000Z',
  })
  cursor_created_at?: string;

  @Uuid({ about: '`cursorId` of the `nextCursor` that you were given last; together with `cursor_created_at`.', optional: true })
  cursor_id?: string;
}

export class AuditActorDto {
  @OneOf(ACTOR_TYPES, { about: 'A person (`user`), the service and its operators (`system`), or a program (`api`).', example: 'api' })
  type: ActorType;
  @Text({ about: 'Id of the person or credential.', nullable: true, example: '0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d21' }) id: string | null;
  @Text({ about: 'What it was called then.', example: 'Month-end sync' }) name: string;
}

export class AuditResourceDto {
  @Text({ about: 'What kind of record it is: the first part of the action.', example: 'claim_project' }) type: string;
  @Uuid({ about: 'Its id.' }) id: string;
}

const HASH = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

export class AuditEventDto {
  @Uuid({ about: 'Id of the event.' }) id: string;
  @OneOf(ENVIRONMENTS, {
    about: 'The environment it belongs to; null where it concerns the whole organization.',
    nullable: true,
    example: 'test',
  })
  environment: Environment | null;
  @Timestamp({ about: 'When it happened.' }) occurredAt: string;
  @Timestamp({ about: 'When it entered the log: once what it tells of was committed.' }) createdAt: string;
  @Nested(AuditActorDto, { about: 'Who did it.' }) actor: AuditActorDto;
  @Text({ about: 'What was done.', example: 'claim_project.created' }) action: string;
  @Nested(AuditResourceDto, { about: 'To what it was done.' }) resource: AuditResourceDto;
  @Text({ about: 'The address that the call came from.', nullable: true, example: '203.0.113.7' }) ipAddress: string | null;
  @Text({ about: '`X-Request-Id` of the call.', nullable: true, example: '0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d22' }) requestId: string | null;
  @FreeFormObject({
    about:
      'The fields that changed, each with `from` and `to`. In place of a secret, and of a value of more than 1 KiB, stands `{"sha256", "bytes"}` of its canonical JSON.',
    example: { name: { from: 'Berlin', to: 'Berlin office' } },
  })
  changes: Changes;
  @Integer({ about: 'Its place in the log of the organization: 1, 2, 3 and so on, without gaps.', min: 1, example: 1 }) sequence: number;
  @Text({ about: 'Hash of the event before it; 64 zeros for the first.', example: '0'.repeat(64) }) previousHash: string;
  @Text({ about: 'Hex SHA-256 of `previousHash` followed by this event without `hash` in canonical form (RFC 8785).', example: HASH })
  hash: string;

  static from(row: AuditEvent): AuditEventDto {
    const { id, environment, occurredAt, createdAt, action, ipAddress, requestId, changes, sequence, previousHash, hash } = row;
    const actor = { type: row.actorType, id: row.actorId, name: row.actorName };
    const resource = { type: row.resourceType, id: row.resourceId };
    return { id, environment, occurredAt, createdAt, actor, action, resource, ipAddress, requestId, changes, sequence, previousHash, hash };
  }
}

export class AuditCursorDto {
  @Timestamp({ about: 'To be sent as `cursor_created_at`.' }) cursorCreatedAt: string;
  @Uuid({ about: 'To be sent as `cursor_id`.' }) cursorId: string;
}

export class AuditPageDto {
  @ListOf(AuditEventDto, { about: 'The events, oldest first.' }) data: AuditEventDto[];
  @Nested(AuditCursorDto, {
    about:
      'Names the last event you were given, also when none follows yet: come back with it whenever you like. null when there was none at all.',
    nullable: true,
  })
  nextCursor: AuditCursorDto | null;
  @Flag({ about: 'Whether more events follow already.', example: false }) hasMore: boolean;
}
