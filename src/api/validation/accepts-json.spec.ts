import { expect, it } from 'vitest';
import { acceptsJson } from './accepts-json.js';

it.each([
  undefined,
  '',
  '*/*',
  'application/json',
  'application/*',
  'text/html, */*;q=0.1',
  'application/json; charset=utf-8',
  ' Application/JSON ',
  'text/html,application/json;q=0.001',
  'text/html;q=0, */*',
])('%s accepts JSON', (accept) => {
  expect(acceptsJson(accept)).toBe(true);
});

it.each([
  'text/html',
  'application/xml, text/*',
  'application/json;q=0',
  'application/json; q=0.000',
  '*/*;q=0',
  'application/json;q=0, */*',
  'application/*;q=0, */*',
  'application/jsonp',
  'json',
  ',',
  ';',
  'application/json/x',
])('%s does not accept JSON', (accept) => {
  expect(acceptsJson(accept)).toBe(false);
});
