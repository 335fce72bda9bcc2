import { describe, expect, it } from 'vitest';
import type { Registry } from '../operation/registry.js';
import { scopeTexts } from './scopes.js';

const operation = (scope: string, summary: string, isWrite = false) => ({ scope, summary, isWrite });
const operations = [
  operation('bills:read', 'List bills'),
  operation('bills:write', 'Create a bill', true),
  operation('bills:read', 'Get a bill'),
  operation('bills:write', 'Change a bill', true),
  operation('bills:write', 'Send bills', true),
  operation('bills:write', 'Queue a report of VAT', true),
] as unknown as Registry['operations'];
const sentences = (...scopes: string[]) => scopeTexts({ operations }, scopes).map(({ sentence }) => sentence);

describe('the text of a scope', () => {
  it('describes all operations that need it, and no others', () => {
    expect(sentences('bills:read')).toEqual(['List bills and see a bill']);
  });

  it('names the object of several operations once', () => {
    expect(sentences('bills:write')).toEqual(['Create and change a bill, send bills, and queue a report of VAT']);
  });

  it('separates scopes that change data from scopes that only read', () => {
    expect(scopeTexts({ operations }, ['bills:write', 'bills:read'])).toMatchObject([
      { scope: 'bills:write', isWrite: true },
      { scope: 'bills:read', isWrite: false },
    ]);
  });
});
