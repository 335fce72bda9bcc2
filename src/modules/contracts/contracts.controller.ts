import { Controller, Get, Header, Param, Query, Res, Headers } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Assets } from '../../api/console/assets.js';
import { CONSOLE_HEADERS } from '../../api/console/open-pages.js';
import { Protocol } from '../../api/operation/operation.decorator.js';
import { Registry } from '../../api/operation/registry.js';
import { Problem, PROBLEMS, type ProblemCode } from '../../kernel/problems.js';
import { Settings } from '../../kernel/settings/settings.js';
import { Clock } from '../../kernel/time.js';
import { Ports } from '../../store/discovery/ports.js';
import { acceptedType } from './accepted-type.js';
import { collectionEnvironment } from './collection.js';
import { CACHED, Published, NOT_KEPT } from './compressed.js';
import { Documents } from './documents.js';
import { FIRST_TITLE, firstIndex, FirstPage, llmsText, placesOf } from './first-page.js';
import { GUIDES_PATH, guides } from './guides.js';
import { ProblemPage, ProblemsPage } from './problem-page.js';
import { Site } from './site/site.js';

@Controller()
export class ContractsController {
  constructor(
    private readonly documents: Documents,
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly site: Site,
  ) {}

  @Protocol('The OpenAPI document, readable without a credential.')
  @Published('openapi.json', 'application/json')
  openapi(): string {
    return this.documents.openapi();
  }

  @Protocol('The AsyncAPI document, readable without a credential.')
  @Published('asyncapi.json', 'application/json')
  asyncapi(): string {
    return this.documents.asyncapi();
  }

  @Protocol('Every operation as a collection for Postman and Bruno.')
  @Published('collection.json', 'application/json')
  collection(): string {
    return this.documents.collection();
  }

  @Protocol('The environment of the collection: the address, and a place for the key.')
  @Published('collection-environment.json', 'application/json')
  environment(): string {
    return JSON.stringify(collectionEnvironment(this.settings.publicUrl), null, 2);
  }

  @Protocol('RFC 9116: whom to tell about a vulnerability.')
  @Published('.well-known/security.txt', 'text/plain')
  security(): string {
    const text = securityText(this.settings, this.clock.now());
    if (text === undefined) throw new Problem('route_not_found', { detail: 'The operator of this service has named no contact.' });
    return text;
  }

  @Protocol('The list of problem codes.')
  @Get('problems')
  @Header('Cache-Control', CACHED)
  problems(@Query('q') query: unknown, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    void reply.headers(CONSOLE_HEADERS);
    return this.site.page('Problems', ProblemsPage({ query: typeof query === 'string' ? query.slice(0, 100) : '' }));
  }

  @Protocol('A page that explains a problem code.')
  @Get('problems/:code')
  @Header('Cache-Control', CACHED)
  problem(@Param('code') code: string, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    if (!isProblemCode(code)) throw new Problem('route_not_found', { detail: 'No problem has this code.' });
    void reply.headers(CONSOLE_HEADERS);
    return this.site.page(PROBLEMS[code].title, ProblemPage({ code, settings: this.settings }));
  }
}

const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(PROBLEMS, code);

const DAY_MS = 86_400_000;
/** RFC 9116 recommends less than a year. A reader should check after this whether the contact is still right. */
const VALID_DAYS = 180;

function securityText({ securityContact, publicUrl }: Settings, now: Date): string | undefined {
  if (securityContact === undefined) return undefined;
  // The same text all day long.
  const expires = new Date((Math.floor(now.getTime() / DAY_MS) + VALID_DAYS) * DAY_MS).toISOString();
  const lines = [`Contact: ${securityContact}`, `Expires: ${expires}`, `Canonical: ${publicUrl}/.well-known/security.txt`];
  return [...lines, 'Preferred-Languages: en', ''].join('\n');
}

const JSON_TYPE = 'application/json';

@Controller(GUIDES_PATH)
export class GuidesController {
  constructor(private readonly site: Site) {}

  @Protocol('The list of guides: a page, or JSON for programs.')
  @Published('')
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
  @Published(':file')
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

/** A sheet of paper with a tick: the icon in the tab of the browser. */
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
  '<rect width="32" height="32" rx="7" fill="#0b5cad"/>' +
  '<path d="M9 6h10l5 5v15H9z" fill="#fff"/>' +
  '<path d="M12.5 17.5l3 3 5.5-6" fill="none" stroke="#0b5cad" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/>' +
  '</svg>';

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
  @Published('llms.txt', 'text/plain')
  async llms(): Promise<string> {
    return llmsText([...placesOf(this.ports), ...(await guides())], this.registry, this.settings.publicUrl);
  }
}
