import { describe, expect, it } from 'vitest';
import { pageHeaders } from './page.js';

const formAction = (...targets: string[]) => /form-action ([^;]+);/.exec(pageHeaders(...targets)['Content-Security-Policy'])![1];

describe('the headers of a page', () => {
  it('let its forms lead to the service alone', () => {
    expect(formAction()).toBe("'self'");
  });

  it('let the redirects that follow go on to a target, and to wherever it leads from there', () => {
    expect(formAction('https://partner.example.com')).toBe("'self' https:");
    expect(formAction('http://[::1]:4000')).toBe("'self' http:");
  });
});
