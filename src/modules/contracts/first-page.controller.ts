import { Controller, Get, Header, Headers, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { AnyOrigin } from '../../api/http/any-origin.decorator.js';
import { Assets } from '../../api/console/assets.js';
import { CONSOLE_HEADERS } from '../../api/console/console-headers.js';
import { Protocol } from '../../api/operation/operation.decorator.js';
import { Registry } from '../../api/operation/registry.js';
import { Settings } from '../../kernel/settings/settings.js';
import { Ports } from '../../store/discovery/ports.js';
import { acceptedType } from './accepted-type.js';
import { CACHED } from './compressed.js';
import { Documents } from './documents.js';
import { FIRST_TITLE, firstIndex, FirstPage } from './first-page.js';
import { Site } from './site/site.js';
import { guides } from './guides.js';
import { ICON } from './icon.js';
import { llmsText } from './llms-text.js';
import { placesOf } from './places.js';

const JSON_TYPE = 'application/json';

/** What people, programs and models find at the address of the service. */
@Controller()
export class FirstPageController {
  constructor(
    private readonly registry: Registry,
    private readonly ports: Ports,
    private readonly settings: Settings,
    private readonly documents: Documents,
    private readonly assets: Assets,
    private readonly site: Site,
  ) {}

  @Protocol('The first page, or an index for programs that accept JSON.')
  @Get()
  @Header('Cache-Control', CACHED)
  async first(@Headers('accept') accept: string | undefined, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const places = placesOf(this.ports);
    const isPage = acceptedType(accept, ['text/html', JSON_TYPE]) === 'text/html';
    void reply.headers({ ...(isPage ? CONSOLE_HEADERS : { 'Content-Type': `${JSON_TYPE}; charset=utf-8` }), Vary: 'Accept' });
    if (!isPage) return firstIndex(places, this.settings.publicUrl);
    const { document } = this.documents;
    const shown = { places, guides: await guides(), document, baseUrl: this.settings.publicUrl, assets: this.assets };
    return this.site.page(FIRST_TITLE, FirstPage(shown), 'first');
  }

  @Protocol('The icon in the tab of a browser.')
  @Get('favicon.ico')
  @Header('Content-Type', 'image/svg+xml')
  @Header('Cache-Control', CACHED)
  icon(): string {
    return ICON;
  }

  @Protocol('The service in one text, for language models.')
  @AnyOrigin()
  @Get('llms.txt')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  @Header('Cache-Control', CACHED)
  @Header('Access-Control-Allow-Origin', '*')
  async llms(): Promise<string> {
    return llmsText([...placesOf(this.ports), ...(await guides())], this.registry, this.settings.publicUrl);
  }
}
