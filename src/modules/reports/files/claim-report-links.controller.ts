import { Body, Controller, Param } from '@nestjs/common';
import { Ctx } from '../../../api/call/ctx.decorator.js';
import { Capability, Operation } from '../../../api/operation/operation.decorator.js';
import type { WriteContext } from '../../../store/database/unit-of-work.js';
import { ClaimReportLinkDto, CreateClaimReportLinkDto } from './file-links.dto.js';
import { FileLinks } from './file-links.service.js';

/** With a scope of its own: who may queue runs may not read their files by that. */
@Capability({
  about: 'Links by which people without an account download a file of a claim report run.',
  guide: 'docs/report-files.md',
})
@Controller('v1/claim-reports')
export class ClaimReportLinksController {
  constructor(private readonly links: FileLinks) {}

  @Operation({
    id: 'claim_report_shares.create',
    route: 'POST /:report_id/links',
    scope: 'claim_report_shares:write',
    status: 200,
    tool: {
      name: 'link_report_file',
      set: 'claims',
      risk: 'write',
      says: 'To hand a file of a succeeded run, such as its PDF or evidence pack, to a person: give them the address.',
    },
    summary: 'Create a link to an output file',
    description:
      'Whoever has the address downloads this one file, without an account, for some minutes. The audit log tells who made it, and each ' +
      'time the file was taken. Since 1.1.',
    returns: ClaimReportLinkDto,
    returnsSecret: true,
  })
  create(@Ctx() ctx: WriteContext, @Param('report_id') id: string, @Body() input: CreateClaimReportLinkDto): Promise<ClaimReportLinkDto> {
    return this.links.make(ctx, id, input);
  }
}
