import { Controller, Get, Header, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Problem, PROBLEMS, type ProblemCode } from '../../kernel/problems.js';
import { Settings } from '../../kernel/settings/settings.js';
import { Clock } from '../../kernel/time.js';
import { AnyOrigin } from '../../api/http/any-origin.decorator.js';
import { CONSOLE_HEADERS } from '../../api/console/console-headers.js';
import { Protocol } from '../../api/operation/operation.decorator.js';
import { CACHED } from './compressed.js';
import { collectionEnvironment } from './collection.js';
import { Documents } from './documents.js';
import { ProblemPage, ProblemsPage } from './problem-page.js';
import { Site } from './site/site.js';
import { securityText } from './security-text.js';

@Controller()
export class ContractsController {
  constructor(
    private readonly documents: Documents,
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly site: Site,
  ) {}

  @Protocol('The OpenAPI document, readable without a credential.')
  @AnyOrigin()
  @Get('openapi.json')
  @Header('Content-Type', 'application/json; charset=utf-8')
  @Header('Cache-Control', CACHED)
  @Header('Access-Control-Allow-Origin', '*')
  openapi(): string {
    return this.documents.openapi;
  }

  @Protocol('The AsyncAPI document, readable without a credential.')
  @AnyOrigin()
  @Get('asyncapi.json')
  @Header('Content-Type', 'application/json; charset=utf-8')
  @Header('Cache-Control', CACHED)
  @Header('Access-Control-Allow-Origin', '*')
  asyncapi(): string {
    return this.documents.asyncapi;
  }

  @Protocol('Every operation as a collection for Postman and Bruno.')
  @AnyOrigin()
  @Get('collection.json')
  @Header('Content-Type', 'application/json; charset=utf-8')
  @Header('Cache-Control', CACHED)
  @Header('Access-Control-Allow-Origin', '*')
  collection(): string {
    return this.documents.collection;
  }

  @Protocol('The environment of the collection: the address, and a place for the key.')
  @AnyOrigin()
  @Get('collection-environment.json')
  @Header('Content-Type', 'application/json; charset=utf-8')
  @Header('Cache-Control', CACHED)
  @Header('Access-Control-Allow-Origin', '*')
  environment(): string {
    return JSON.stringify(collectionEnvironment(this.settings.publicUrl), null, 2);
  }

  @Protocol('RFC 9116: whom to tell about a vulnerability.')
  @AnyOrigin()
  @Get('.well-known/security.txt')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  @Header('Cache-Control', CACHED)
  @Header('Access-Control-Allow-Origin', '*')
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
