import { expect, it } from 'vitest';
import { keyOf, lineWith } from '../../../../tools/personal-data/fixtures/lines.js';
import { checkRedactedLine } from '../../../../tools/personal-data/index.js';
import { JobFailure } from '../../../kernel/failure.js';
import { redactBatch } from './redact-batch.js';

it('personal data that is left in a line fails the statement, with a message that names only its place', () => {
  const batch = [lineWith({ lineNumber: 7 }), lineWith({ lineNumber: 8, description: 'Mail jane@example.com' })];
  const redact = () => redactBatch(batch, (line) => checkRedactedLine(line, keyOf('a')));
  expect(redact).toThrow(JobFailure);
  const message = 'Line 8: the description still contains personal data (email).';
  expect(redact).toThrow(expect.objectContaining({ code: 'RESIDUAL_PII', message }));
});

it('an error that says nothing of a line stays as it is', () => {
  const error = new RangeError('broken');
  const redact = () => {
    throw error;
  };
  expect(() => redactBatch([lineWith({})], redact)).toThrow(error);
});
