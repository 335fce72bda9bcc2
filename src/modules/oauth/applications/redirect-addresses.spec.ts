import { describe, expect, it } from 'vitest';
import { SETTINGS } from '../../../kernel/settings/settings.js';
import { destinationOf, isRegisteredRedirect, redirectProblem } from './client-metadata.js';

const PUBLIC = { isPublic: true, environment: 'live' as const, schemes: SETTINGS.redirectSchemes.fallback };

describe('a redirect address', () => {
  it.each([
    'https://partner.example.com/callback',
    'https://partner.example.com/callback?tenant=a',
    'http://127.0.0.1/callback',
    'http://[::1]:7777/callback',
    'http://localhost:7777/callback',
    'com.example.app:/callback',
    'com.googleusercontent.apps.123-abc:/callback',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'vscode://vscode.github-authentication/did-authenticate',
  ])('of a public application may be %s', (address) => {
    expect(redirectProblem(address, PUBLIC)).toBeUndefined();
  });

  it.each([
    'javascript:alert(1)',
    'JavaScript://%0aalert(1)',
    'data:text/html,hello',
    'file:///etc/passwd',
    'blob:https://partner.example.com/1',
    'vbscript:x',
    'vbscript.x:y',
    'VBScript.x://y',
    'javascript.example.app:/callback',
    'data.example:/callback',
    'file.example:/callback',
    'com.:/callback',
    'com..app:/callback',
    'com.example.+app:/callback',
    'about:blank',
    'ftp://partner.example.com/',
    'myapp://callback',
    'http://partner.example.com/callback',
    'http://127.0.0.1.example.com/callback',
    'http://127.1.1.1/callback',
    'http://localhost.example.com/callback',
    'https://user:secret@partner.example.com/callback',
    'https://partner.example.com/callback#part',
    'https://partner.example.com/callback#',
    'https://partner.example.com/call back',
    ' https://partner.example.com/callback',
    'https://partner.example.com/\ncallback',
    'https://pärtner.example.com/callback',
    '//partner.example.com/callback',
    'callback',
    '',
    `https://partner.example.com/${'x'.repeat(2048)}`,
  ])('may not be %s', (address) => {
    expect(redirectProblem(address, PUBLIC)).toMatch(/^(is|must|has) /);
  });

  it('of an app on a device is for public applications, and plain http for test applications of one organization', () => {
    expect(redirectProblem('cursor://callback', { ...PUBLIC, isPublic: false })).toContain('only public applications');
    expect(redirectProblem('http://partner.test/callback', { ...PUBLIC, environment: 'test' })).toBeUndefined();
  });

  it('may have the schemes that the operator lists', () => {
    expect(redirectProblem('myapp://callback', { ...PUBLIC, schemes: ['myapp'] })).toBeUndefined();
    expect(redirectProblem('cursor://callback', { ...PUBLIC, schemes: [] })).toContain('one that this service lists');
    expect(SETTINGS.redirectSchemes.parse('myapp, other-app')).toEqual(['myapp', 'other-app']);
    for (const scheme of ['javascript', 'data', 'file', 'http', 'MyApp', 'my app', 'myapp:'])
      expect(() => SETTINGS.redirectSchemes.parse(scheme), scheme).toThrow(`holds "${scheme}"`);
  });
});

describe('an answer may be sent', () => {
  it.each([
    ['http://127.0.0.1/callback', 'http://127.0.0.1:51234/callback'],
    ['http://127.0.0.1:1/callback', 'http://127.0.0.1:2/callback'],
    ['http://127.0.0.1:1/callback', 'http://127.0.0.1/callback'],
    ['http://[::1]/callback?a=b', 'http://[::1]:7777/callback?a=b'],
    ['http://localhost/callback', 'http://localhost:7777/callback'],
    ['http://127.0.0.1', 'http://127.0.0.1:80'],
    ['https://partner.example.com/callback', 'https://partner.example.com/callback'],
    ['cursor://callback', 'cursor://callback'],
  ])('of an application with %s to %s', (registered, address) => {
    expect(isRegisteredRedirect(address, ['https://other.example.com', registered])).toBe(true);
  });

  it.each([
    ['http://127.0.0.1/callback', 'http://127.0.0.1:7777/callback/'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:7777/callback?a=b'],
    ['http://127.0.0.1/callback', 'http://localhost:7777/callback'],
    ['http://127.0.0.1/callback', 'http://[::1]:7777/callback'],
    ['http://127.0.0.1/callback', 'https://127.0.0.1:7777/callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:7777@evil.example/callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:99999/callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:/callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:7777\\@evil.example/callback'],
    ['http://127.0.0.1', 'http://127.0.0.1.evil.example'],
    ['https://partner.example.com/callback', 'https://partner.example.com:8443/callback'],
    ['https://partner.example.com/callback', 'https://partner.example.com/callback/'],
    ['https://localhost/callback', 'https://localhost:7777/callback'],
    ['cursor://callback', 'cursor://callback:7777'],
  ])('not, with %s, to %s', (registered, address) => {
    expect(isRegisteredRedirect(address, [registered])).toBe(false);
  });
});

it('users see where the answer goes', () => {
  expect(destinationOf('https://partner.example.com/callback')).toBe('https://partner.example.com');
  expect(destinationOf('http://127.0.0.1:7777/callback')).toBe('an app on this computer (http://127.0.0.1:7777)');
  expect(destinationOf('cursor://anysphere.cursor-mcp/callback')).toBe('an app on this device (cursor://anysphere.cursor-mcp)');
});
