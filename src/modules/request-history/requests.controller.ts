import { Controller, Param, Query } from '@nestjs/common';
import { Ctx } from '../../api/call/ctx.decorator.js';
import { Capability, Operation } from '../../api/operation/operation.decorator.js';
import { setting } from '../../kernel/settings/setting-text.js';
import { Settings } from '../../kernel/settings/settings.js';
import type { ReadContext } from '../../store/database/unit-of-work.js';
import { KEPT_PER_SECOND } from './api-request.entity.js';
import { RequestHistoryService } from './request-history.service.js';
import { AnsweredRequestDto, AnsweredRequestPageDto, ListRequestsQuery } from './requests.dto.js';

/** An owner reads who called from where. Members see the same in the console, and hand it to no application. */
const ACCESS = { scope: 'requests:read', role: 'owner' } as const;

@Capability({ about: 'The calls of the organization that were answered, without what was sent.', guide: 'docs/errors.md' })
@Controller('v1/requests')
export class RequestsController {
  constructor(
    private readonly history: RequestHistoryService,
    private readonly settings: Settings,
  ) {}

  @Operation({
    ...ACCESS,
    id: 'requests.list',
    route: 'GET /',
    concerns: 'organization',
    summary: 'List answered requests',
    description:
      'Calls of operations and tools in the environment of the credential, newest first. Of each second, each process keeps up to ' +
      `${KEPT_PER_SECOND} that succeeded and ${KEPT_PER_SECOND} that failed, for ${setting('requestHistoryRetentionMs')}; the service ` +
      'may be set to keep fewer, which `kept` says. A call appears within about two seconds. Follow `nextCursor` while `hasMore` is ' +
      'true. An addition.',
    returns: AnsweredRequestPageDto,
  })
  async list(@Ctx() ctx: ReadContext, @Query() query: ListRequestsQuery): Promise<AnsweredRequestPageDto> {
    const { request_id: requestId, credential_id: credentialId, limit, ...others } = query;
    const { requests, next } = await this.history.list(ctx, { requestId, credentialId, ...others }, limit);
    const data = requests.map((row) => AnsweredRequestDto.from(row, this.settings));
    const nextCursor = next === undefined ? null : { before: next };
    return { data, nextCursor, hasMore: nextCursor !== null, kept: this.settings.requestHistory };
  }

  @Operation({
    ...ACCESS,
    id: 'requests.get',
    route: 'GET /:answered_request_id',
    concerns: 'organization',
    summary: 'Get an answered request',
    description: 'By its `id` in the list, which is not its `X-Request-Id`. An addition.',
    returns: AnsweredRequestDto,
  })
  async get(@Ctx() ctx: ReadContext, @Param('answered_request_id') id: string): Promise<AnsweredRequestDto> {
    return AnsweredRequestDto.from(await this.history.get(ctx, id), this.settings);
  }
}
