import { Controller, Get, Header, Param } from '@nestjs/common';
import { Problem, PROBLEMS, type ProblemCode } from '../../kernel/problems.js';
import { Settings } from '../../kernel/settings/settings.js';
import { Protocol } from '../../api/operation/operation.decorator.js';
import { Documents } from './documents.js';
import { problemPage, problemsPage } from './problem-page.js';

const HTML = 'text/html; charset=utf-8';
const CACHED = 'public, max-age=300';

@Controller()
export class ContractsController {
  constructor(
    private readonly documents: Documents,
    private readonly settings: Settings,
  ) {}

  @Protocol('The OpenAPI document, readable without a credential.')
  @Get('openapi.json')
  @Header('Content-Type', 'application/json; charset=utf-8')
  @Header('Cache-Control', CACHED)
  openapi(): string {
    return this.documents.openapi;
  }

  @Protocol('The AsyncAPI document, readable without a credential.')
  @Get('asyncapi.json')
  @Header('Content-Type', 'application/json; charset=utf-8')
  @Header('Cache-Control', CACHED)
  asyncapi(): string {
    return this.documents.asyncapi;
  }

  @Protocol('The list of problem codes.')
  @Get('problems')
  @Header('Content-Type', HTML)
  @Header('Cache-Control', CACHED)
  problems(): string {
    return problemsPage();
  }

  @Protocol('A page that explains a problem code.')
  @Get('problems/:code')
  @Header('Content-Type', HTML)
  @Header('Cache-Control', CACHED)
  problem(@Param('code') code: string): string {
    if (!isProblemCode(code)) throw new Problem('route_not_found', { detail: 'No problem has this code.' });
    return problemPage(code, this.settings);
  }
}

const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(PROBLEMS, code);
