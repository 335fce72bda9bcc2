import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OPEN_PAGE_HEADERS, openPage } from '../../../api/console/open-pages.js';
import { OwnForms } from '../../../api/console/own-form.js';
import { LostPage, type SentPage } from '../../../api/http/pages/lost-page.js';
import type { Page } from '../../../api/http/pages/page.js';
import { Protocol } from '../../../api/operation/operation.decorator.js';
import { wordingFor } from '../../../api/wording/page-wording.js';
import { inWording } from '../../../api/wording/spoken.js';
import { Implements } from '../../../store/discovery/ports.js';
import { UPLOAD_BOUNDS } from '../console/upload.console.js';
import { ClientUpload, type OpenLink, UPLOADS_PATH } from './upload-links.service.js';
import { finishedPage, noLinkPage, outcomePage, uploadPage } from './client-upload.views.js';

/** An address that is no longer that of a link, as when its end was cut off. */
@Implements(LostPage)
export class LostUploadPage implements LostPage {
  readonly path = UPLOADS_PATH;

  show(request: FastifyRequest): Promise<SentPage> {
    const html = inWording(wordingFor(request), () => openPage(noLinkPage()));
    return Promise.resolve({ html, headers: OPEN_PAGE_HEADERS });
  }
}

const WHY =
  'The page where the client of an accountant uploads statements. They have no account: the token in the address identifies the link.';
type Reply = FastifyReply;

@Controller(UPLOADS_PATH.slice(1))
export class ClientUploadController {
  constructor(
    private readonly uploads: ClientUpload,
    private readonly forms: OwnForms,
  ) {}

  @Protocol(WHY, 'pages')
  @Get(':token')
  show(@Param('token') token: string, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: Reply): Promise<string> {
    return this.answer(token, request, reply, (open) => [200, uploadPage(open, token)]);
  }

  @Protocol(WHY, 'pages')
  @Post(':token')
  upload(@Param('token') token: string, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: Reply): Promise<string> {
    return this.answer(token, request, reply, async (open) => {
      if (request.isOfAnotherSite) return [403, uploadPage(open, token)];
      const sender = { organizationId: open.organization.id, is: 'guest' } as const;
      const outcomes = await this.forms.withFiles(sender, request, UPLOAD_BOUNDS, ({ files }) =>
        this.uploads.upload(open, files, callOf(request)),
      );
      if (outcomes.length === 0) return [400, uploadPage(open, token, true)];
      const status = outcomes.every((outcome) => 'refused' in outcome) ? 400 : 200;
      return [status, outcomePage(open, outcomes, { token, still: await this.uploads.find(token) })];
    });
  }

  @Protocol(WHY, 'pages')
  @Post(':token/finish')
  finish(@Param('token') token: string, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: Reply): Promise<string> {
    return this.answer(token, request, reply, async (open) => {
      if (request.isOfAnotherSite) return [403, uploadPage(open, token)];
      await this.uploads.finish(open, callOf(request));
      return [200, finishedPage(open)];
    });
  }

  /** The page of an open link, or the one that says that the link has ended, in the language of the visitor. */
  private answer(token: string, request: FastifyRequest, reply: Reply, show: (open: OpenLink) => Shown | Promise<Shown>): Promise<string> {
    return inWording(wordingFor(request), async () => {
      const open = await this.uploads.find(token);
      const [status, shown] = open ? await show(open) : ([404, noLinkPage()] as const);
      void reply.status(status).headers(OPEN_PAGE_HEADERS);
      return openPage(shown);
    });
  }
}

type Shown = readonly [status: number, page: Page];

const callOf = ({ id, ip }: FastifyRequest) => ({ requestId: id, ipAddress: ip });
