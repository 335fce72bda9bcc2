import { describe, expect, it } from 'vitest';
import { pageHeaders } from './page.js';

const formAction = (...targets: string[]) => /form-action ([^;]+);/.exec(pageHeaders(...targets)['Content-Security-Policy'])![1];

describe('form-action', () => {
  it('allows forms to the service only', () => {
    expect(formAction()).toBe("'self'");
  });

  it('allows redirects to the scheme of a target', () => {
    expect(formAction('https://partner.example.com')).toBe("'self' https:");
    expect(formAction('http://[::1]:4000')).toBe("'self' http:");
  });
});
