import { expect, it } from 'vitest';
import { errorsOf } from './call-tool.js';
import type { Tool } from './tool.js';

const TOOL = {
  confirmedBy: 'confirm',
  inputSchema: {
    type: 'object',
    properties: { name: { type: 'string' }, tags: { type: 'array' }, confirm: { type: 'boolean' } },
    required: ['name', 'confirm'],
    additionalProperties: false,
  },
} as unknown as Tool;

const codesOf = (json: string): string[] =>
  errorsOf(TOOL, JSON.parse(json) as Record<string, unknown>).map(({ field, code }) => `${field} ${code}`);

it('accepts valid inputs, confirmed or not', () => {
  expect(codesOf('{"name":"x"}')).toEqual([]);
  expect(codesOf('{"name":"x","confirm":true}')).toEqual([]);
});

it('reports unknown inputs, also those that every object inherits', () => {
  expect(codesOf('{"name":"x","__proto__":1,"constructor":1}')).toEqual(['__proto__ unknown_property', 'constructor unknown_property']);
});

it('reports one error for each input', () => {
  expect(codesOf(`{"tags":${'['.repeat(101)}${']'.repeat(101)},"confirm":"yes"}`)).toEqual([
    'tags too_deep',
    'name required',
    'confirm wrong_type',
  ]);
  expect(codesOf(`{"name":"x","tags":[${'1,'.repeat(1000)}1]}`)).toEqual(['tags too_many']);
});
