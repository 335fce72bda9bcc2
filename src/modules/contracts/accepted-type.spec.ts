import { describe, expect, it } from 'vitest';
import { acceptedType } from './accepted-type.js';

describe('the type that a caller gets', () => {
  it.each([
    [undefined, 'text/html'],
    ['', 'text/html'],
    ['*/*', 'text/html'],
    ['image/png', 'text/html'],
    ['application/json', 'application/json'],
    ['APPLICATION/JSON; charset=utf-8', 'application/json'],
    ['application/*', 'application/json'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html'],
    ['text/html;q=0.5, application/json', 'application/json'],
    ['application/json;q=0.5, text/html', 'text/html'],
    ['application/json;q=0, */*', 'text/html'],
    ['application/json;q=much', 'text/html'],
  ])('for %j is %s', (accept, type) => {
    expect(acceptedType(accept, ['text/html', 'application/json'])).toBe(type);
  });
});
