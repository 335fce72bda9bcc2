import { Controller, Get, Headers, Param, Res } from '@nestjs/common';
import type { FastifyReply as Reply } from 'fastify';
import { Problem } from '../../kernel/problems.js';
import { Protocol } from '../operation/operation.decorator.js';
import { Assets, ASSETS_PATH } from './assets.js';

const FOR_GOOD = 'public, max-age=31536000, immutable';

@Controller(ASSETS_PATH.slice(1))
export class AssetsController {
  constructor(private readonly assets: Assets) {}

  @Protocol('Style and script of the console.')
  @Get(':version/:name')
  send(
    @Param('version') version: string,
    @Param('name') fileName: string,
    @Headers('accept-encoding') accepted = '',
    @Res({ passthrough: true }) reply: Reply,
  ): Buffer {
    const asset = this.assets.find(version, fileName);
    if (!asset) throw new Problem('route_not_found');
    void reply.headers({ 'Content-Type': asset.type, 'Cache-Control': FOR_GOOD, Vary: 'Accept-Encoding' });
    const [encoding, compressed] = [...asset.compressed].find(([name]) => accepted.includes(name)) ?? [];
    if (encoding) void reply.header('Content-Encoding', encoding);
    return compressed ?? asset.bytes;
  }
}
