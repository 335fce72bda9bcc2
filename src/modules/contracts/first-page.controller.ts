import { Controller, Get, Header, Headers, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Assets } from '../../api/console/assets.js';
import { CONSOLE_HEADERS } from '../../api/console/console-headers.js';
import { Protocol } from '../../api/operation/operation.decorator.js';
import { Registry } from '../../api/operation/registry.js';
import { Settings } from '../../kernel/settings/settings.js';
import { Ports } from '../../store/discovery/ports.js';
import { acceptedType } from './accepted-type.js';
import { CACHED, Published } from './compressed.js';
import { Documents } from './documents.js';
import { FIRST_TITLE, firstIndex, FirstPage } from './first-page.js';
import { Site } from './site/site.js';
import { guides } from './guides.js';
import { llmsText, placesOf } from './places.js';

const JSON_TYPE = 'application/json';

/** A sheet of paper with a tick: the icon in the tab of the browser. */
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
  '<rect width="32" height="32" rx="7" fill="#0b5cad"/>' +
  '<path d="M9 6h10l5 5v15H9z" fill="#fff"/>' +
  '<path d="M12.5 17.5l3 3 5.5-6" fill="none" stroke="#0b5cad" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/>' +
  '</svg>';

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
  @Published('text/plain')
  @Get('llms.txt')
  async llms(): Promise<string> {
    return llmsText([...placesOf(this.ports), ...(await guides())], this.registry, this.settings.publicUrl);
  }
}
