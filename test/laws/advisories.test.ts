import { readdirSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { expect, it } from 'vitest';

const FOLDER = 'docs/advisories';
const ID = '^CLAIMS-\\d{4}-\\d{4}$';
const OURS = ['claims-api', '@claims-api/client', '@claims-api/extension-api'];
const released = [...readFileSync('CHANGELOG.md', 'utf8').matchAll(/^## (\S+) \(\d/gm)].map(([, version]) => version!);

const text = { type: 'string', minLength: 1 } as const;
const time = { type: 'string', format: 'date-time', pattern: 'Z$' } as const;
const object = (required: readonly string[], properties: object) => ({ type: 'object', additionalProperties: false, required, properties });
const list = (items: object, minItems = 0) => ({ type: 'array', minItems, items });

/** Of the OSV format, what our advisories may have: https://ossf.github.io/osv-schema/. */
const SCHEMA = object(['schema_version', 'id', 'published', 'modified', 'summary', 'details', 'severity', 'affected', 'references'], {
  schema_version: { type: 'string', pattern: '^1\\.\\d+\\.\\d+$' },
  id: { type: 'string', pattern: ID },
  published: time,
  modified: time,
  withdrawn: time,
  aliases: list({ type: 'string', pattern: '^(?:CVE-\\d{4}-\\d{4,}|GHSA-[\\w-]+)$' }),
  related: list(text),
  summary: { type: 'string', minLength: 10, maxLength: 120 },
  details: { type: 'string', minLength: 40 },
  severity: list(
    object(['type', 'score'], { type: { enum: ['CVSS_V3', 'CVSS_V4'] }, score: { type: 'string', pattern: '^CVSS:[34]\\.\\d/' } }),
    1,
  ),
  affected: list(
    object(['package', 'ranges'], {
      package: object(['ecosystem', 'name'], { ecosystem: { const: 'npm' }, name: { enum: OURS } }),
      ranges: list(
        object(['type', 'events'], {
          type: { const: 'SEMVER' },
          events: list(
            {
              type: 'object',
              minProperties: 1,
              maxProperties: 1,
              properties: { introduced: text, fixed: text },
              additionalProperties: false,
            },
            2,
          ),
        }),
        1,
      ),
    }),
    1,
  ),
  references: list(
    object(['type', 'url'], { type: { enum: ['ADVISORY', 'FIX', 'REPORT', 'WEB'] }, url: { type: 'string', format: 'uri' } }),
    1,
  ),
  credits: list(object(['name'], { name: text, contact: list(text), type: { enum: ['FINDER', 'REPORTER', 'OTHER'] } })),
});

const ajv = new Ajv({ allErrors: true });
formats.default(ajv);
const validate = ajv.compile(SCHEMA);

interface Advisory {
  readonly id: string;
  readonly published: string;
  readonly modified: string;
  readonly affected: readonly { ranges: readonly { events: readonly { introduced?: string; fixed?: string }[] }[] }[];
}

/** What is wrong with an advisory: its form, its name, its times, and versions that were never released. */
function faults(name: string, advisory: Advisory, versions: readonly string[]): string[] {
  if (!validate(advisory)) return validate.errors!.map(({ instancePath, message }) => `${name}${instancePath} ${message}`);
  const events = advisory.affected.flatMap(({ ranges }) => ranges.flatMap((range) => range.events));
  const named = events
    .flatMap(({ introduced, fixed }) => [introduced, fixed])
    .filter((version) => version !== undefined && version !== '0');
  return [
    ...(name === `${advisory.id}.json` ? [] : [`${name} has the id ${advisory.id}`]),
    ...(advisory.modified < advisory.published ? [`${name} was modified before it was published`] : []),
    ...(events.some(({ fixed }) => fixed !== undefined) ? [] : [`${name} names no version that is mended`]),
    ...named.filter((version) => !versions.includes(version!)).map((version) => `${name}: ${version} is not in CHANGELOG.md with a day`),
  ];
}

const example = /```json\n([^]*?)```/.exec(readFileSync(`${FOLDER}/README.md`, 'utf8'))![1]!;
const advisory = (change: object = {}): Advisory => ({ ...(JSON.parse(example) as Advisory), ...change });
const EXAMPLE = 'CLAIMS-2027-0001.json';
/** With the version that the example says is mended. */
const later = [...released, '1.0.1'];

it('every advisory is in the OSV format, under the name of its id, and names versions that are released', () => {
  const names = readdirSync(FOLDER).filter((name) => name !== 'README.md');
  const found = names.flatMap((name) => faults(name, JSON.parse(readFileSync(`${FOLDER}/${name}`, 'utf8')) as Advisory, released));
  expect(found).toEqual([]);
});

it('the example of the page is one', () => {
  expect(faults(EXAMPLE, advisory(), later)).toEqual([]);
});

it.each<[what: string, change: object, fault: string]>([
  ['no severity', { severity: [] }, `${EXAMPLE}/severity must NOT have fewer than 1 items`],
  ['a field that OSV does not have', { who: 'me' }, `${EXAMPLE} must NOT have additional properties`],
  ['a time without its zone', { published: '2027-01-15' }, `${EXAMPLE}/published must match format "date-time"`],
  ['a modification before its publication', { modified: '2027-01-01T00:00:00Z' }, `${EXAMPLE} was modified before it was published`],
  ['another id than its name', { id: 'CLAIMS-2027-0002' }, `${EXAMPLE} has the id CLAIMS-2027-0002`],
])('finds %s', (_what, change, fault) => {
  expect(faults(EXAMPLE, advisory(change), later)).toContain(fault);
});

it('finds a version that was not released', () => {
  expect(faults(EXAMPLE, advisory(), ['1.0.0'])).toEqual([`${EXAMPLE}: 1.0.1 is not in CHANGELOG.md with a day`]);
});
