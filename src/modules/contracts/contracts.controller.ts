import { Controller, Get, Header, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Problem, PROBLEMS, type ProblemCode } from '../../kernel/problems.js';
import { Settings } from '../../kernel/settings/settings.js';
import { Clock } from '../../kernel/time.js';
import { CONSOLE_HEADERS } from '../../api/console/console-headers.js';
import { Protocol } from '../../api/operation/operation.decorator.js';
import { CACHED, Published } from './compressed.js';
import { collectionEnvironment } from './collection.js';
import { Documents } from './documents.js';
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
  @Published('application/json')
  @Get('openapi.json')
  openapi(): string {
    return this.documents.openapi;
  }

  @Protocol('The AsyncAPI document, readable without a credential.')
  @Published('application/json')
  @Get('asyncapi.json')
  asyncapi(): string {
    return this.documents.asyncapi;
  }

  @Protocol('Every operation as a collection for Postman and Bruno.')
  @Published('application/json')
  @Get('collection.json')
  collection(): string {
    return this.documents.collection;
  }

  @Protocol('The environment of the collection: the address, and a place for the key.')
  @Published('application/json')
  @Get('collection-environment.json')
  environment(): string {
    return JSON.stringify(collectionEnvironment(this.settings.publicUrl), null, 2);
  }

  @Protocol('RFC 9116: whom to tell about a vulnerability.')
  @Published('text/plain')
  @Get('.well-known/security.txt')
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

/** Whom to tell about a vulnerability (RFC 9116); undefined if the operator names no contact. */
function securityText({ securityContact, publicUrl }: Settings, now: Date): string | undefined {
  if (securityContact === undefined) return undefined;
  // The same text all day long.
  const expires = new Date((Math.floor(now.getTime() / DAY_MS) + VALID_DAYS) * DAY_MS).toISOString();
  const lines = [`Contact: ${securityContact}`, `Expires: ${expires}`, `Canonical: ${publicUrl}/.well-known/security.txt`];
  return [...lines, 'Preferred-Languages: en', ''].join('\n');
}
