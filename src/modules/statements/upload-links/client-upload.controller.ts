import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OPEN_PAGE_HEADERS, OpenPages, type OpenPage } from '../../../api/console/open-pages.js';
import { OwnForms } from '../../../api/console/own-form.js';
import { wordingFor } from '../../../api/wording/page-wording.js';
import { Protocol } from '../../../api/operation/operation.decorator.js';
import { UPLOAD_BOUNDS } from '../console/statement-upload.js';
import { ClientUpload } from './client-upload.service.js';
import { finishedPage, noLinkPage, outcomePage, uploadPage } from './client-upload.views.js';
import { UPLOADS_PATH } from './upload-addresses.js';

const WHY =
  'The page where the client of an accountant uploads statements. They have no account: the token in the address identifies the link.';
type Reply = FastifyReply;

@Controller(UPLOADS_PATH.slice(1))
export class ClientUploadController {
  constructor(
    private readonly uploads: ClientUpload,
    private readonly pages: OpenPages,
    private readonly forms: OwnForms,
  ) {}

  @Protocol(WHY, 'pages')
  @Get(':token')
  async show(@Param('token') token: string, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: Reply): Promise<string> {
    const open = await this.uploads.find(token);
    const wording = wordingFor(request);
    return this.answer(reply, open ? 200 : 404, open ? uploadPage(open, { token, wording }) : noLinkPage(wording));
  }

  @Protocol(WHY, 'pages')
  @Post(':token')
  async upload(@Param('token') token: string, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: Reply): Promise<string> {
    const open = await this.uploads.find(token);
    const wording = wordingFor(request);
    if (!open) return this.answer(reply, 404, noLinkPage(wording));
    if (request.isOfAnotherSite) return this.answer(reply, 403, uploadPage(open, { token, wording }));
    const outcomes = await this.forms.withFiles(
      { organizationId: open.organization.id, is: 'guest' },
      request,
      UPLOAD_BOUNDS,
      ({ files }) => this.uploads.upload(open, files, callOf(request)),
    );
    if (outcomes.length === 0) return this.answer(reply, 400, uploadPage(open, { token, wording }, true));
    const status = outcomes.every((outcome) => 'refused' in outcome) ? 400 : 200;
    return this.answer(reply, status, outcomePage(open, outcomes, { token, wording, still: await this.uploads.find(token) }));
  }

  @Protocol(WHY, 'pages')
  @Post(':token/finish')
  async finish(@Param('token') token: string, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: Reply): Promise<string> {
    const open = await this.uploads.find(token);
    const wording = wordingFor(request);
    if (!open) return this.answer(reply, 404, noLinkPage(wording));
    if (request.isOfAnotherSite) return this.answer(reply, 403, uploadPage(open, { token, wording }));
    await this.uploads.finish(open, callOf(request));
    return this.answer(reply, 200, finishedPage(open, wording));
  }

  private answer(reply: Reply, status: number, shown: OpenPage): string {
    void reply.status(status).headers(OPEN_PAGE_HEADERS);
    return this.pages.render(shown);
  }
}

const callOf = ({ id, ip }: FastifyRequest) => ({ requestId: id, ipAddress: ip });
