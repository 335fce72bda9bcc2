import { SERVICE_URL } from '../../kernel/settings/setting-text.js';
import { RecordDto } from '../../api/dto/page.js';
import { DateTime, Flag, Integer, ListOf, Nested, OneOf, Text, Timestamp, Uuid } from '../../api/validation/fields.js';
import type { Settings } from '../../kernel/settings/settings.js';
import { type ApiRequest, SAMPLED_OF, SEARCHED_MAX } from './api-request.entity.js';

export class ListRequestsQuery {
  @Text({ about: 'Only calls with this `X-Request-Id`.', max: 128, optional: true, example: '0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d22' })
  request_id?: string;
  @Flag({ about: 'Only calls that failed, or only the others.', optional: true, example: true }) failed?: boolean;
  @Text({ about: 'Only calls of this operation, by its id.', max: 120, optional: true, example: 'claim_projects.create' })
  operation?: string;
  @Uuid({ about: 'Only calls with this credential: `credential.id` in `GET /v1/auth/context`.', optional: true }) credential_id?: string;
  @DateTime({ about: 'Only calls answered at this time or later.', optional: true, example: '2026-01-01T00:00:00Z' }) since?: string;
  @DateTime({ about: 'Only calls answered before this time.', optional: true, example: '2099-01-01T00:00:00Z' }) until?: string;
  @Integer({ about: 'Maximum number of calls.', min: 1, max: 200, optional: true, default: 50, example: 50 }) limit: number = 50;
  @Uuid({ about: '`before` of the last `nextCursor`: only calls before it.', optional: true }) before?: string;
}

export class AnsweredRequestDto extends RecordDto {
  @Timestamp({ about: 'When it was answered.' }) answeredAt: string;
  @Text({ about: 'The operation.', example: 'claim_projects.create' }) operation: string;
  @Text({ about: 'The HTTP method of the operation.', example: 'POST' }) method: string;
  @Text({ about: 'The path, without the query.', example: '/v1/claim-projects' }) path: string;
  @Integer({ about: 'The HTTP status of the answer.', min: 100, example: 400 }) status: number;
  @Text({ about: 'The code of the problem; null if the call succeeded.', nullable: true, example: 'validation_failed' })
  problem: string | null;
  @Text({ about: 'The page of the problem: its `type`.', nullable: true, example: `${SERVICE_URL}/problems/validation_failed` })
  problemUrl: string | null;
  @Integer({ about: 'How long the answer took, in milliseconds.', min: 0, example: 12 }) durationMs: number;
  @Text({ about: '`X-Request-Id`, which the caller may have chosen.', example: '0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d22' }) requestId: string;
  @Text({ about: 'Id of the credential.', example: '0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d21' }) credentialId: string;
  @Text({ about: 'Its name at that time.', example: 'Month-end sync' }) credentialName: string;
  @Text({ about: 'What the client of a tool calls itself, if it does; null of other calls.', nullable: true, example: 'Claude Code' })
  client: string | null;
  @Text({ about: 'IP address of the caller.', example: '203.0.113.7' }) ipAddress: string;

  static from({ organizationId: _, ...row }: ApiRequest, { publicUrl }: Settings): AnsweredRequestDto {
    const problemUrl = row.problem === null ? null : `${publicUrl}/problems/${row.problem}`;
    return { ...row, problemUrl, createdAt: row.answeredAt, updatedAt: row.answeredAt };
  }
}

class AnsweredRequestCursorDto {
  @Uuid({ about: 'Send this as `before`.' }) before: string;
}

export class AnsweredRequestPageDto {
  @ListOf(AnsweredRequestDto, { about: 'The calls, newest first.' }) data: AnsweredRequestDto[];
  @Nested(AnsweredRequestCursorDto, { about: 'Leads to older calls; null if there are none.', nullable: true })
  nextCursor: AnsweredRequestCursorDto | null;
  @Flag({
    about: `Whether to read on. A filter looks at ${SEARCHED_MAX} calls at a time: an answer may have few, or none, although more follow.`,
    example: false,
  })
  hasMore: boolean;
  @OneOf(['off', 'errors', 'sampled', 'all'], {
    about:
      'Which calls the service keeps now: none (`off`), those that failed (`errors`), these and one in ' +
      `${SAMPLED_OF} of the others (\`sampled\`), or \`all\`. What is not here may have been answered all the same.`,
    example: 'sampled',
  })
  kept: Settings['requestHistory'];
}
