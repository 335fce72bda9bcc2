import { expect, it } from 'vitest';
import { channelOfUserAgent, userAgentOf } from './product.js';

it('reads the channel from the User-Agent of a first-party client', () => {
  expect(channelOfUserAgent(userAgentOf('mcp'))).toBe('mcp');
});

it.each([undefined, '', 'Mozilla/5.0', 'claims-mcp', 'x claims-mcp/1.0.0', 'claims-/1', 'claims-a b/1', `claims-${'a'.repeat(21)}/1`])(
  'reads no channel from %j',
  (userAgent) => {
    expect(channelOfUserAgent(userAgent)).toBeUndefined();
  },
);
