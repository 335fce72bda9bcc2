import { Controller, Get, Header, Headers, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CONSOLE_HEADERS } from '../../api/console/console-headers.js';
import { Protocol } from '../../api/operation/operation.decorator.js';
import { Problem } from '../../kernel/problems.js';
import { acceptedType } from './accepted-type.js';
import { CACHED, NOT_KEPT, Published } from './compressed.js';
import { GUIDES_PATH, guides } from './guides.js';
import { Site } from './site/site.js';

const JSON_TYPE = 'application/json';

/** The guides for users of the API: as pages for people, and as the source has them for programs and models. */
@Controller(GUIDES_PATH)
export class GuidesController {
  constructor(private readonly site: Site) {}

  @Protocol('The list of guides: a page, or JSON for programs.')
  @Published()
  @Get()
  @Header('Vary', 'Accept')
  async list(@Headers('accept') accept: string | undefined, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    if (acceptedType(accept, [JSON_TYPE, 'text/html']) === 'text/html') {
      void reply.headers(CONSOLE_HEADERS);
      return this.site.index();
    }
    void reply.header('Content-Type', `${JSON_TYPE}; charset=utf-8`);
    return JSON.stringify({ data: (await guides()).map(({ text: _text, file: _file, ...guide }) => guide) });
  }

  @Protocol('The guides that have some words, as a page.')
  @Get('search')
  @Header('Cache-Control', NOT_KEPT)
  search(@Query('q') query: unknown, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    void reply.headers(CONSOLE_HEADERS);
    return this.site.results(typeof query === 'string' ? query.trim() : '');
  }

  @Protocol('The words of the guides, for the search in the browser.')
  @Get('search-index.json')
  @Header('Content-Type', `${JSON_TYPE}; charset=utf-8`)
  @Header('Cache-Control', CACHED)
  async index(): Promise<string> {
    return JSON.stringify({ data: await this.site.entries() });
  }

  @Protocol('A guide, as a page or in Markdown.')
  @Published()
  @Get(':file')
  async guide(@Param('file') file: string, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const found = (await guides()).find(({ name }) => file === name || file === `${name}.md`);
    if (!found) throw new Problem('route_not_found', { detail: `No guide has this name. ${GUIDES_PATH} lists them.` });
    if (file === found.name) {
      void reply.headers(CONSOLE_HEADERS);
      return this.site.guide(found);
    }
    void reply.header('Content-Type', 'text/markdown; charset=utf-8');
    return found.text;
  }
}
