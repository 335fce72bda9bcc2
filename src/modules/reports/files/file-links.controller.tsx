import { Controller, Get, Param, Post, Req, Res, StreamableFile, Body } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OPEN_PAGE_HEADERS, openPage } from '../../../api/console/open-pages.js';
import { say, size, wordingNow } from '../../../api/console/say.js';
import { LostPage, type SentPage } from '../../../api/http/pages/lost-page.js';
import type { Page } from '../../../api/http/pages/page.js';
import { Protocol, Capability, Operation } from '../../../api/operation/operation.decorator.js';
import { wordingFor } from '../../../api/wording/page-wording.js';
import { inWording } from '../../../api/wording/spoken.js';
import { Implements } from '../../../store/discovery/ports.js';
import { Ctx } from '../../../api/call/ctx.decorator.js';
import type { WriteContext } from '../../../store/database/unit-of-work.js';
import { FILE_KINDS, fileNameOf } from '../outputs/report-output.js';
import { FILES_PATH, type LinkedFile, LinkedFiles, FileLinks } from './report-files.service.js';
import { ClaimReportLinkDto, CreateClaimReportLinkDto } from './file-links.dto.js';

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
    cannotBeCut: true,
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
      'time the file was taken. An addition.',
    returns: ClaimReportLinkDto,
    returnsSecret: true,
  })
  create(@Ctx() ctx: WriteContext, @Param('report_id') id: string, @Body() input: CreateClaimReportLinkDto): Promise<ClaimReportLinkDto> {
    return this.links.make(ctx, id, input);
  }
}

const pageOf = (title: string, body: Page['body']): Page => ({ title, language: wordingNow().language, body });
const noFilePage = (): Page => pageOf(say('file.invalid'), <p>{say('file.invalidAbout')}</p>);

function filePage({ linked, report, bytes, organization }: LinkedFile, token: string): Page {
  const { language } = wordingNow();
  const until = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: organization.timeZone });
  const body = (
    <form method="post" action={`${FILES_PATH}/${token}?lang=${language}`}>
      <p>
        <code>{fileNameOf(linked.format, report.id)}</code>, {size(bytes)}
      </p>
      <p class="hint">
        {say('file.until', {
          times: linked.isOnce ? 'once' : 'many',
          until: until.format(new Date(linked.expiresAt)),
          timeZone: organization.timeZone,
        })}
      </p>
      <p class="buttons">
        <button>{say('file.download')}</button>
      </p>
    </form>
  );
  return { ...pageOf(say('file.title', { organization: organization.name }), body), offersLanguages: true };
}

/** An address that is no longer that of a link, as when its end was cut off. */
@Implements(LostPage)
export class LostFilePage implements LostPage {
  readonly path = FILES_PATH;

  show(request: FastifyRequest): Promise<SentPage> {
    const html = inWording(wordingFor(request), () => openPage(noFilePage()));
    return Promise.resolve({ html, headers: OPEN_PAGE_HEADERS });
  }
}

const WHY = 'The page from which somebody without an account downloads one file of a report: the token in the address is the credential.';
type Reply = FastifyReply;

@Controller(FILES_PATH.slice(1))
export class FileLinksController {
  constructor(private readonly files: LinkedFiles) {}

  @Protocol(WHY, 'pages')
  @Get(':token')
  show(@Param('token') token: string, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: Reply): Promise<string> {
    return inWording(wordingFor(request), async () => {
      const file = await this.files.find(token);
      void reply.status(file ? 200 : 404).headers(OPEN_PAGE_HEADERS);
      return openPage(file ? filePage(file, token) : noFilePage());
    });
  }

  /** Not by GET: what looks at links, such as a mail scanner, takes nothing. */
  @Protocol(WHY, 'pages')
  @Post(':token')
  take(
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<string | StreamableFile> {
    return inWording(wordingFor(request), async () => {
      const file = request.isOfAnotherSite ? undefined : await this.files.find(token);
      const opened = file && (await this.files.take(file, { requestId: request.id, ipAddress: request.ip }));
      if (!opened) {
        void reply.status(404).headers(OPEN_PAGE_HEADERS);
        return openPage(noFilePage());
      }
      const { format } = file.linked;
      void reply.headers({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }).status(200);
      return new StreamableFile(opened.content, {
        type: FILE_KINDS[format].mediaType,
        length: opened.bytes,
        disposition: `attachment; filename="${fileNameOf(format, file.report.id)}"`,
      });
    });
  }
}
