import type { Type } from '@nestjs/common';
import { describe, expect, it } from 'vitest';
import { anOperation } from '../../../test/support/operations.js';
import { Problem, type FieldError } from '../../kernel/problems.js';
import { documentFields } from './document-fields.js';
import { CalendarDate, Changes, Complete, Flag, FreeFormObject, Integer, OneOf, Text, Uuid } from './fields.js';
import { validateRequest } from './validate-request.js';

class ThingDto {
  @Text({ about: 'A name.', min: 2, max: 5 }) name: string;
  @Text({ about: 'A note.', max: 3, optional: true, nullable: true }) note?: string | null;
  @CalendarDate({ about: 'A day.', optional: true }) day?: string;
  @OneOf(['red', 'blue'], { about: 'A colour.', optional: true, default: 'red' }) colour?: string;
  @Uuid({ about: 'An id.', optional: true }) id?: string;
  @FreeFormObject({ about: 'Anything.', optional: true }) extra?: object;
  @Integer({ about: 'A number.', min: 1, max: 9, optional: true }) count?: number;
  @Flag({ about: 'A flag.', optional: true }) flag?: boolean;
}
class ChangeThingDto extends Changes(ThingDto) {}
class ThingAnswerDto extends Complete(ThingDto) {}

function errorsOf(type: Type<object>, body: Record<string, unknown>): readonly FieldError[] {
  try {
    validateRequest(anOperation({ method: 'POST', body: type }), { params: {}, query: {}, body, url: '/' });
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.errors;
  }
}

/** The errors of a body, as `location field code`. Empty if it is valid. */
const problemsOf = (type: Type<object>, body: Record<string, unknown>): string[] =>
  errorsOf(type, body).map(({ location, field, code }) => `${location} ${field} ${code}`);

describe('a field', () => {
  it.each([
    [
      'name',
      ['ab', 'abcde', '👩👩👩👩👩'],
      { wrong_type: [1, null, [], {}, true], too_short: ['', 'a', '👩'], too_long: ['abcdef'], invalid_text: ['a\u0000b', 'a\ud800'] },
    ],
    ['note', [null, '', 'abc'], { wrong_type: [1, []], too_long: ['abcd'] }],
    ['day', ['2026-02-28'], { wrong_type: [20260228, null, {}], invalid_date: ['2026-02-30', 'today', ''] }],
    ['colour', ['red', 'blue'], { wrong_type: [1, null, ['red']], not_allowed: ['green', 'RED', '', 'toString'] }],
    [
      'id',
      ['0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d21', '0199E9A4-7C1E-7B6A-9F0E-3D1C5A7B9D21'],
      { wrong_type: [1, null], invalid_uuid: ['', 'x', '0199e9a47c1e7b6a9f0e3d1c5a7b9d21'] },
    ],
    ['extra', [{}, { a: [1] }], { wrong_type: [[], 'x', null, 1] }],
    ['count', [1, 9], { wrong_type: [1.5, null, 'one', [], 2 ** 53, NaN], out_of_range: [0, 10, -1] }],
    ['flag', [true, false], { wrong_type: ['true', 1, null] }],
  ] as [string, unknown[], Record<string, unknown[]>][])(
    '%s accepts valid values, and refuses others with a code',
    (field, fitting, refused) => {
      for (const value of fitting) expect(problemsOf(ThingDto, { name: 'ok', [field]: value }), JSON.stringify(value)).toEqual([]);
      for (const [code, values] of Object.entries(refused)) {
        for (const value of values)
          expect(problemsOf(ThingDto, { name: 'ok', [field]: value }), JSON.stringify(value)).toEqual([`body ${field} ${code}`]);
      }
    },
  );

  it('that is an object names the path of what is wrong within it', () => {
    expect(problemsOf(ThingDto, { name: 'ok', extra: { a: [{ b: Infinity }] } })).toEqual(['body extra.a[0].b invalid_number']);
  });

  it('is required unless it is declared optional', () => {
    expect(problemsOf(ThingDto, {})).toEqual(['body name required']);
  });
});

it('a PATCH requires nothing, has no defaults, and checks what was sent', () => {
  expect(problemsOf(ChangeThingDto, {})).toEqual([]);
  expect(problemsOf(ChangeThingDto, { note: null, colour: 'blue' })).toEqual([]);
  expect(problemsOf(ChangeThingDto, { name: null, colour: null, day: 'x', other: 1 })).toEqual([
    'body other unknown_property',
    'body name wrong_type',
    'body day invalid_date',
    'body colour wrong_type',
  ]);
  const { body } = validateRequest(anOperation({ method: 'PATCH', body: ChangeThingDto }), {
    params: {},
    query: {},
    body: { note: 'x' },
    url: '/',
  });
  expect({ ...body }).toEqual({ note: 'x' });
});

it('is documented as it is checked', () => {
  documentFields();
  const documented = (type: object, field: string): object =>
    Reflect.getMetadata('swagger/apiModelProperties', (type as { prototype: object }).prototype, field) as object;
  expect(documented(ThingDto, 'name')).toMatchObject({ description: 'A name.', required: true, minLength: 2, maxLength: 5 });
  expect(documented(ThingDto, 'note')).toMatchObject({ required: false, nullable: true, maxLength: 3 });
  expect(documented(ThingDto, 'colour')).toMatchObject({ required: false, enum: ['red', 'blue'], default: 'red' });
  expect(documented(ThingDto, 'count')).toMatchObject({ type: 'integer', minimum: 1, maximum: 9 });
  expect(documented(ChangeThingDto, 'name')).toMatchObject({ required: false, maxLength: 5 });
  expect(documented(ChangeThingDto, 'colour')).not.toHaveProperty('default');
  for (const field of ['name', 'note', 'day', 'colour', 'extra', 'count'])
    expect(documented(ThingAnswerDto, field)).toMatchObject({ required: true });
});

it('returns code and message of a check as they are, whatever characters the message contains', () => {
  const values = ['a: b', '$value', '$property\n'];
  class OddDto {
    @OneOf(values, { about: 'One of odd values.' }) odd: string;
  }
  expect(errorsOf(OddDto, { odd: 'x' })).toEqual([
    { location: 'body', field: 'odd', code: 'not_allowed', message: `must be one of ${values.join(', ')}` },
  ]);
});

it('checks a field that a class redeclares by the new declaration, and the others as inherited', () => {
  class LongerDto extends ThingDto {
    @Text({ about: 'A name.', max: 7 }) declare name: string;
  }
  expect(problemsOf(LongerDto, { name: '' })).toEqual([]);
  expect(problemsOf(LongerDto, { name: 'abcdefgh', day: 'x' })).toEqual(['body name too_long', 'body day invalid_date']);
});
