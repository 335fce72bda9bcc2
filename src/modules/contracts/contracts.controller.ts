import { Controller, Get, Header, Param } from '@nestjs/common';
import { Problem, PROBLEMS, type ProblemCode } from '../../kernel/problems.js';
import { Protocol } from '../../api/operation/operation.decorator.js';
import { Documents } from './documents.js';
import { problemPage, problemsPage } from './problem-page.js';

const HTML = 'text/html; charset=utf-8';
const CACHED = 'public, max-age=300';

@Controller()
export class ContractsController {
  constructor(private readonly documents: Documents) {}

  @Protocol('The published contract; read before anyone has a credential.')
  @Get('openapi.json')
  @Header('Content-Type', 'application/json; charset=utf-8')
  @Header('Cache-Control', CACHED)
  openapi(): string {
    return this.documents.openapi;
  }

  @Protocol('The published contract of the events; read before anyone has a credential.')
  @Get('asyncapi.json')
  @Header('Content-Type', 'application/json; charset=utf-8')
  @Header('Cache-Control', CACHED)
  asyncapi(): string {
    return this.documents.asyncapi;
  }

  @Protocol('Pages that explain the codes of errors.')
  @Get('problems')
  @Header('Content-Type', HTML)
  @Header('Cache-Control', CACHED)
  problems(): string {
    return problemsPage();
  }

  @Protocol('Pages that explain the codes of errors.')
  @Get('problems/:code')
  @Header('Content-Type', HTML)
  @Header('Cache-Control', CACHED)
  problem(@Param('code') code: string): string {
    if (!isProblemCode(code)) throw new Problem('route_not_found', { detail: 'No problem has this code.' });
    return problemPage(code);
  }
}

const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(PROBLEMS, code);
