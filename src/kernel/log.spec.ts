import { PassThrough } from 'node:stream';
import pretty from 'pino-pretty';
import { describe, expect, it } from 'vitest';
import { createLog, PRETTY } from './log.js';

/** What somebody would send to add a line to the log, or to give a terminal commands. */
const HOSTILE = [
  'a\n[12:00:00.000] INFO: request {"status":200}',
  'a\r\n{"level":30,"msg":"request","status":200}',
  'a\r{"level":30}',
  'a\u0000\u001b[2J\u001b]0;title\u0007b',
];

/** An error as the name service has them: it quotes the name. */
const errorOf = (name: string): Error => Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' });

function written(hostile: string): string {
  let text = '';
  const log = createLog({ logLevel: 'trace', logFormat: 'json' }, { write: (line) => void (text += line) });
  log.info({ path: hostile, requestId: hostile, [hostile]: hostile }, 'request');
  log.error({ err: errorOf(hostile) }, 'delivery failed');
  return text;
}

async function forPeople(lines: string): Promise<string> {
  const destination = new PassThrough();
  const stream = pretty({ ...PRETTY, colorize: false, destination });
  stream.end(lines);
  let text = '';
  for await (const chunk of destination) text += String(chunk);
  return text;
}

describe.each(HOSTILE)('%j', (hostile) => {
  it('stays within its line of the log, without characters that end a line or give commands', () => {
    const lines = written(hostile).split('\n');
    expect(lines).toHaveLength(3);
    expect(lines.pop()).toBe('');
    for (const line of lines) expect(line).toMatch(/^[\x20-\x7e]+$/);
    expect(JSON.parse(lines[0]!)).toMatchObject({ msg: 'request', path: hostile, requestId: hostile });
  });

  it('begins no line of its own in the readable format, where the stack of an error is indented', async () => {
    const text = await forPeople(written(hostile));
    const lines = text.split(/[\r\n]+/).filter((line) => line !== '');
    const begun = lines.filter((line) => !line.startsWith(' '));
    expect(begun.map((line) => line.replace(/^\[[^\]]+\] /, ''))).toEqual([
      expect.stringMatching(/^INFO: request \{/),
      expect.stringMatching(/^ERROR: delivery failed/),
    ]);
    expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/);
  });
});
