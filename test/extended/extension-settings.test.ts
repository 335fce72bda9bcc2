import { Injectable, Module } from '@nestjs/common';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import {
  declareExtension,
  durationSetting,
  extensionSettings,
  integerSetting,
  secretSetting,
  urlSetting,
  type Extension,
} from '../../src/extension-api.js';
import { extensions } from '../../src/extensions/index.js';
import { readSettings } from '../../src/program/read-settings.js';
import { startApp } from '../support/app.js';
import { runCommand } from '../support/command.js';

class BrokerSettings extends extensionSettings({
  brokerUrl: urlSetting('ACME_BROKER_URL', ['https:'], { about: 'Where events go.', fallback: undefined }),
  batch: integerSetting('ACME_BATCH', { min: 1, max: 100 }, { about: 'How many at once.', fallback: 10 }),
  pauseMs: durationSetting('ACME_PAUSE', { about: 'Between two batches.', fallback: '5s' }),
  token: secretSetting('ACME_TOKEN', bytesOf, { about: 'What the broker asks for.', fallback: undefined }),
}) {}

function bytesOf(text: string): Buffer {
  if (!/^[0-9a-f]+$/.test(text)) throw new Error('must be hexadecimal');
  return Buffer.from(text, 'hex');
}

@Injectable()
class Broker {
  constructor(readonly settings: BrokerSettings) {}
}
@Module({ providers: [Broker] })
class BrokerModule {}
const acme = declareExtension({ name: 'acme', madeFor: '1.0.0', modules: [BrokerModule], settings: BrokerSettings });

/** The list of src/extensions/index.ts, as somebody with the extension has it. */
const list = extensions as Extension[];
afterEach(() => list.splice(0));

it('an extension injects its settings, each with its type, its default, and the file that NAME_FILE names', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'claims-settings-')), 'token');
  await writeFile(file, 'c0ffee\n');
  const started = await startApp({ ACME_BROKER_URL: 'https://broker.test/', ACME_TOKEN_FILE: file }, undefined, [acme]);
  const { brokerUrl, batch, pauseMs, token } = started.app.get(Broker, { strict: false }).settings;
  const sum: number = batch + pauseMs;
  expect([brokerUrl, sum, token]).toEqual(['https://broker.test', 5010, Buffer.from('c0ffee', 'hex')]);
  await started.close();
});

it('they are checked at the start together with all others, also by `claims doctor`, and no secret is in what it says', async () => {
  list.push(acme);
  const env = { PORT: 'no', ACME_BROKER_URL: 'http://broker.test', ACME_BATCH: '1000', ACME_TOKEN: 'not a token' };
  const wrong =
    /^PORT .+; ACME_BROKER_URL must be a URL that begins with https:\/\/; ACME_BATCH must be .+; ACME_TOKEN must be hexadecimal$/;
  const problem: unknown = await readSettings(env).catch((error: unknown) => error);
  expect((problem as Error).message).toMatch(wrong);
  const { code, stdout } = await runCommand(['doctor', '--json'], env);
  expect([code, stdout]).toEqual([1, expect.stringContaining('ACME_TOKEN must be hexadecimal')]);
  expect(stdout).not.toContain('not a token');
});

it('a name that ours or another extension has is refused at the start', async () => {
  const Taken = extensionSettings({ port: integerSetting('PORT', { min: 1, max: 2 }, { about: 'Mine.', fallback: 1 }) });
  list.push(acme, declareExtension({ name: 'other', madeFor: '1.0.0', modules: [], settings: Taken }));
  await expect(readSettings({})).rejects.toThrow(/^PORT is declared twice: an extension needs another name for its setting$/);
  list.push(declareExtension({ ...acme, name: 'again' }));
  await expect(readSettings({})).rejects.toThrow(/ACME_BATCH is declared twice/);
});

it('a source of secrets is given the settings of its extension, which are read before it is asked', async () => {
  const asked: unknown[] = [];
  const source = (settings: BrokerSettings) => ({
    read: (name: string) => {
      asked.push(settings.brokerUrl);
      return Promise.resolve(name === 'SMTP_URL' ? 'smtp://mail.test' : undefined);
    },
  });
  list.push(declareExtension({ name: 'acme', madeFor: '1.0.0', modules: [], settings: BrokerSettings, secretSource: source }));
  const settings = await readSettings({ ACME_BROKER_URL: 'https://broker.test', MAIL_FROM: 'a@b.test' });
  expect([settings.smtpUrl, new Set(asked)]).toEqual(['smtp://mail.test', new Set(['https://broker.test'])]);
  await expect(readSettings({ ACME_BATCH: 'many' })).rejects.toThrow(/^ACME_BATCH must be a whole number/);
});
