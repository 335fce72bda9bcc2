import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { Injectable, Controller, Get, Headers, Param, Res } from '@nestjs/common';
import type { FastifyReply as Reply } from 'fastify';
import { Problem } from '../../kernel/problems.js';
import { packageFolder } from '../../kernel/package-folder.js';
import { Protocol } from '../operation/operation.decorator.js';

const SCRIPT = 'text/javascript; charset=utf-8';
const TYPES = {
  'console.css': 'text/css; charset=utf-8',
  'console.js': SCRIPT,
  'upload.js': SCRIPT,
  'icons.svg': 'image/svg+xml',
  'guides.css': 'text/css; charset=utf-8',
  'guides.js': SCRIPT,
  'report.webp': 'image/webp',
  'statement.webp': 'image/webp',
  'endpoint.webp': 'image/webp',
  'verify-chain.js': SCRIPT,
  'verify-event.js': SCRIPT,
  'verify-log.js': SCRIPT,
} as const;
type AssetName = keyof typeof TYPES;

const ASSETS_PATH = '/console-assets';

interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
  /** By the name of the encoding. Browsers accept `br` over https only. */
  readonly compressed: ReadonlyMap<string, Buffer>;
  /** Changes with the content: a browser keeps the file for good. */
  readonly version: string;
}

@Injectable()
export class Assets {
  private readonly read = new Map<AssetName, Asset>();

  pathOf(name: AssetName): string {
    return `${ASSETS_PATH}/${this.asset(name).version}/${name}`;
  }

  find(version: string, name: string): Asset | undefined {
    const asset = Object.hasOwn(TYPES, name) ? this.asset(name as AssetName) : undefined;
    return asset?.version === version ? asset : undefined;
  }

  private asset(name: AssetName): Asset {
    const known = this.read.get(name);
    if (known) return known;
    const written = readFileSync(join(packageFolder(), 'public', name));
    const bytes = name.endsWith('.css') ? Buffer.from(withoutBlanks(written.toString())) : written;
    const version = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
    const compressed = new Map([
      ['br', brotliCompressSync(bytes)],
      ['gzip', gzipSync(bytes)],
    ]);
    const asset = { type: TYPES[name], bytes, compressed, version };
    this.read.set(name, asset);
    return asset;
  }
}

/** A stylesheet without comments, line ends and what else browsers do not need. */
const withoutBlanks = (css: string): string =>
  css
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/([{};:,])?\s*\n\s*/g, (_all, end?: string) => end ?? ' ')
    .replace(/;\}/g, '}')
    .replace(/: | \{|, | > /g, (sign) => sign.trim())
    .replace(/([ :(,-])0\./g, '$1.');

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
