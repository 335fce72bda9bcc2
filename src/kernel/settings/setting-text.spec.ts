import { expect, it } from 'vitest';
import { setting, withSettings } from './setting-text.js';
import { Settings } from './settings.js';

const TEXT = `Kept for ${setting('idempotencyRetentionMs')}, retried for about ${setting('webhookRetrySchedule')}.`;

it('states the defaults in words', () => {
  expect(withSettings(TEXT, Settings.from({}))).toBe('Kept for 24 hours, retried for about 28 hours.');
});

it('states what the operator has set', () => {
  const settings = Settings.from({ IDEMPOTENCY_RETENTION: '48h', WEBHOOK_RETRY_SCHEDULE: '0s,10s,2m' });
  expect(withSettings(TEXT, settings)).toBe('Kept for 2 days, retried for about 2 minutes.');
});

it('leaves a text without settings as it is', () => {
  expect(withSettings('`{"a": {"b": 1}}`', Settings.from({}))).toBe('`{"a": {"b": 1}}`');
});
