import { render } from 'preact-render-to-string';
import { expect, it } from 'vitest';
import { CalendarDate, Flag, Integer, OneOf, Text } from '../../validation/fields.js';
import { RecordFields, RowOf } from '../../validation/record-fields.js';
import { Form, formOf } from '../page.js';
import { recordBody, RecordInputs, recordValues } from './record.js';

class CreateThing {
  @Text({ about: 'Its name.', min: 1, max: 200 }) name: string;
  @Text({ about: 'A note.', max: 200, optional: true, nullable: true }) note?: string | null;
  @Text({ about: 'A remark.', max: 2000, optional: true, default: '' }) remark?: string;
  @CalendarDate({ about: 'A day.', optional: true, nullable: true }) day?: string | null;
  @Integer({ about: 'A number.', min: 0, max: 9, optional: true, nullable: true }) count?: number | null;
  @OneOf(['a', 'b'], { about: 'A choice.', optional: true, nullable: true }) choice?: string | null;
  @Flag({ about: 'On or off.', optional: true, default: false }) isOn?: boolean;
  @Flag({ about: 'On, off, or not said.', optional: true, nullable: true }) isSaid?: boolean | null;
}
class Thing extends RowOf(CreateThing) {}
const classes = { entity: Thing, create: CreateThing, update: CreateThing, answer: CreateThing, list: CreateThing };

/** What a browser sends of a form, as it is. */
function sentBy(html: string): Form {
  const sent = new URLSearchParams();
  for (const [, inputs = ''] of html.matchAll(/<input ([^>]*)>/g)) {
    const attribute = (name: string): string => new RegExp(`\\b${name}="([^"]*)"`).exec(inputs)?.[1] ?? '';
    if (attribute('type') !== 'checkbox' || /\bchecked\b/.test(inputs)) sent.append(attribute('name'), attribute('value'));
  }
  for (const [, name = '', text = ''] of html.matchAll(/<textarea [^>]*name="([^"]*)"[^>]*>([^<]*)</g)) sent.append(name, text);
  for (const [, name = '', options = ''] of html.matchAll(/<select [^>]*name="([^"]*)"[^>]*>(.*?)<\/select>/g))
    sent.append(name, /<option selected[^>]*value="([^"]*)"|<option value="([^"]*)" selected/.exec(options)?.slice(1).find(Boolean) ?? '');
  return new Form(sent);
}

const EMPTY = { note: null, remark: '', day: null, count: null, choice: null, isOn: false, isSaid: null };
const FULL = { note: 'N', remark: 'R', day: '2026-02-28', count: 0, choice: 'b', isOn: true, isSaid: false };

it.each([
  ['nothing but what it needs', { ...EMPTY, name: 'A' }],
  ['everything', { ...FULL, name: 'A' }],
  ['a flag that is on where it may be left open', { ...FULL, name: 'A', isOn: false, isSaid: true }],
])('a form that is sent as it was shown changes nothing in a record with %s', (_what, record) => {
  const fields = new RecordFields(classes);
  const html = render(RecordInputs({ fields, state: formOf(recordValues(fields, record)) }));
  expect(recordBody(fields, sentBy(html))).toEqual(record);
});

it('the same holds for the fields of an extension, of which a flag that is off stays off', () => {
  const all = new RecordFields(classes);
  const fields = { fields: new Map(), inputs: all.fields };
  const customFields = { ...FULL, name: 'A', isSaid: true, isOn: false };
  const html = render(RecordInputs({ fields, state: formOf(recordValues(fields, { customFields })) }));
  expect(recordBody(fields, sentBy(html))).toEqual({ customFields });
});

it('a text that is emptied is not kept in silence', () => {
  const fields = new RecordFields(classes);
  const sent = new Form(new URLSearchParams({ name: '', note: '', remark: '' }));
  expect(recordBody(fields, sent)).toMatchObject({ name: '', note: null, remark: '' });
});
