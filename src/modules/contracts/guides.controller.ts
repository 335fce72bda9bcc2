import { Controller, Get, Header, Param } from '@nestjs/common';
import { AnyOrigin } from '../../api/http/any-origin.decorator.js';
import { Protocol } from '../../api/operation/operation.decorator.js';
import { Problem } from '../../kernel/problems.js';
import { CACHED } from './compressed.js';
import { GUIDES_PATH, guides, type Guide } from './guides.js';

/** The guides for users of the API, as the source has them. */
@Controller(GUIDES_PATH)
export class GuidesController {
  @Protocol('The list of guides, for programs.')
  @AnyOrigin()
  @Get()
  @Header('Cache-Control', CACHED)
  @Header('Access-Control-Allow-Origin', '*')
  async list(): Promise<{ data: Guide[] }> {
    return { data: (await guides()).map(({ text: _text, ...guide }) => guide) };
  }

  @Protocol('A guide, in Markdown.')
  @AnyOrigin()
  @Get(':file')
  @Header('Content-Type', 'text/markdown; charset=utf-8')
  @Header('Cache-Control', CACHED)
  @Header('Access-Control-Allow-Origin', '*')
  async guide(@Param('file') file: string): Promise<string> {
    const found = (await guides()).find(({ name }) => `${name}.md` === file);
    if (!found) throw new Problem('route_not_found', { detail: `No guide has this name. ${GUIDES_PATH} lists them.` });
    return found.text;
  }
}
