import { describe, expect, it } from 'vitest';
import { readOutputOptions } from './inputs.js';

describe('output options', () => {
  it('have defaults', () => {
    expect(readOutputOptions({})).toEqual({
      added: {},
      formats: ['json'],
      groupBy: ['category', 'month'],
      currency: null,
      includeUncategorised: true,
      detail: 'none',
      locale: 'en',
      paperSize: null,
      datev: null,
      rates: null,
      form: null,
    });
  });

  it('are read as given; unknown keys are ignored', () => {
    const given = {
      formats: ['pdf', 'csv', 'pdf'],
      groupBy: [],
      currency: 'chf',
      includeUncategorised: false,
      detail: 'lines',
      locale: 'de-ch',
      paperSize: 'letter',
      templateId: { yours: true },
    };
    expect(readOutputOptions(given)).toEqual({
      added: {},
      formats: ['pdf', 'csv'],
      groupBy: [],
      currency: 'CHF',
      includeUncategorised: false,
      detail: 'lines',
      locale: 'de-CH',
      paperSize: 'letter',
      datev: null,
      rates: null,
      form: null,
    });
    expect(readOutputOptions({ currency: null }).currency).toBeNull();
  });

  it.each([
    [{ formats: ['json', 'docx'] }, 'outputOptions.formats[1] must be one of json, csv, xlsx, pdf, journal, datev, form, evidence.'],
    [{ formats: 'json' }, 'outputOptions.formats must be a list.'],
    [{ formats: null }, 'outputOptions.formats must be a list.'],
    [{ groupBy: ['week'] }, 'outputOptions.groupBy[0] must be one of category, month.'],
    [{ currency: 'EURO' }, 'outputOptions.currency must be a three-letter currency code, such as EUR, or null.'],
    [{ currency: 978 }, 'outputOptions.currency must be a three-letter currency code, such as EUR, or null.'],
    [{ includeUncategorised: 'no' }, 'outputOptions.includeUncategorised must be true or false.'],
    [{ detail: 'all' }, 'outputOptions.detail must be one of none, lines.'],
    [{ locale: 'de_DE' }, 'outputOptions.locale must be a language tag, such as en, de or en-GB.'],
    [{ paperSize: 'A5' }, 'outputOptions.paperSize must be one of a4, letter, or null.'],
    [{ locale: 7 }, 'outputOptions.locale must be a text of 1 to 100 characters.'],
  ])('%j fail the run with the path', (value, message) => {
    expect(() => readOutputOptions(value)).toThrow(expect.objectContaining({ code: 'invalid_output_options', message }));
  });
});
