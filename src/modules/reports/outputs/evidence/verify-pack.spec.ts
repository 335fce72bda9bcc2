import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { JobFailure } from '../../../../kernel/failure.js';
import { filesOf, manifestIn, packedFrom, somePack, withChangedBytes } from '../fixtures/evidence.js';
import { sha256Of, verifyPack } from './verify-pack.js';

const PATHS = ['report.csv', 'report.pdf', 'statements/S1.pdf', 'statements/S2.pdf', 'manifest.json'];
let pack: Buffer;
let files: Map<string, Buffer>;
beforeAll(async () => {
  pack = await somePack();
  files = filesOf(pack);
});

/** The pack, packed again with a change of its files or its manifest. */
const changed = (change: (to: Map<string, Buffer>, manifest: ReturnType<typeof manifestIn>) => object | void): Buffer => {
  const to = new Map(files);
  const manifest = manifestIn(files);
  return packedFrom(to, change(to, manifest) ?? manifest);
};
const messagesOf = (content: Buffer) => verifyPack(content).findings.map(({ message }) => message);
/** Where the directory of an archive begins. */
const directoryOf = (archive: Buffer) => archive.readUInt32LE(archive.length - 6);

describe('the verification of an evidence pack', () => {
  it('finds nothing in a pack as it was made, also if it was packed again', () => {
    expect(verifyPack(pack)).toMatchObject({ sha256: sha256Of(pack), findings: [], manifest: { schema: 'claim-evidence/1' } });
    expect(messagesOf(changed(() => {}))).toEqual([]);
  });

  it('names the file in which a byte was changed, whichever it is', () => {
    const found = [...withChangedBytes(pack)].map(([path, broken]) => {
      const { findings } = verifyPack(broken);
      expect(findings.map((finding) => finding.path)).toEqual([path]);
      expect(findings[0]!.message).toBe(`${path} is damaged: it cannot be unpacked as the archive describes it.`);
      return path;
    });
    expect(found).toEqual(PATHS);
  });

  it('names a file that was replaced, removed, added or listed with another size', () => {
    const s2 = 'statements/S2.pdf';
    const other = Buffer.from('%PDF-1.7 another');
    const replaced = changed((to) => void to.set(s2, other));
    expect(messagesOf(replaced)).toEqual([
      `${s2} was changed: its SHA-256 is ${sha256Of(other)} and the manifest says ${sha256Of(files.get(s2)!)}.`,
    ]);
    expect(messagesOf(changed((to) => void to.delete(s2)))).toEqual([`${s2} is missing.`]);
    expect(messagesOf(changed((to) => void to.set('statements/S3.pdf', other)))).toEqual([
      'statements/S3.pdf is in the pack, but not in the manifest.',
    ]);
    const resized = changed((_to, manifest) => ({ ...manifest, files: manifest.files.map((file) => ({ ...file, bytes: 7 })) }));
    expect(messagesOf(resized)[0]).toBe(`report.csv has ${files.get('report.csv')!.length} bytes and the manifest says 7.`);
  });

  it('names a file that is there or listed twice, or that only a statement names', () => {
    const twice = Buffer.from(changed((to) => void to.set('statements/S3.pdf', files.get('statements/S2.pdf')!)));
    for (let at = twice.indexOf('S3.pdf'); at >= 0; at = twice.indexOf('S3.pdf', at)) twice.write('S2.pdf', at);
    expect(messagesOf(twice)).toEqual(['statements/S2.pdf is in the pack more than once.']);
    const listed = changed((_to, manifest) => ({ ...manifest, files: [...manifest.files, manifest.files[0]] }));
    expect(messagesOf(listed)).toEqual(['manifest.json lists a file more than once.']);
    const named = changed((_to, { statements, ...manifest }) => ({
      ...manifest,
      statements: statements.map((statement) => ({ ...statement, files: ['statements/S1.pdf', '../S9\u001b.pdf'] })).slice(1),
    }));
    expect(messagesOf(named)).toEqual([String.raw`manifest.json names "../S9\u001b.pdf" for a statement, but does not list it.`]);
  });

  it.each([
    ['{', 'it is no JSON'],
    ['[]', 'it must be object'],
    ['{"schema":"claim-evidence/2"}', "it must have required property 'run'"],
  ])('says where a manifest is not well-formed: %s', (text, place) => {
    const { findings, manifest } = verifyPack(packedFrom(new Map([...files, ['manifest.json', Buffer.from(text)]])));
    expect(manifest).toBeNull();
    expect(findings).toEqual([{ path: 'manifest.json', message: `manifest.json is not well-formed: ${place}.` }]);
  });

  it('names the field of a manifest that is wrong', () => {
    const wrong = changed((_to, manifest) => ({ ...manifest, files: manifest.files.map((file) => ({ ...file, sha256: 'x' })) }));
    expect(messagesOf(wrong)[0]).toContain('manifest.json is not well-formed: files[0].sha256 must match pattern');
    const version = changed((_to, manifest) => ({ ...manifest, schema: 'claim-evidence/2' }));
    expect(messagesOf(version)).toEqual(['manifest.json is not well-formed: schema must be claim-evidence/1.']);
  });
});

it('verifies, or refuses with a code, whatever bytes of a pack are changed', () => {
  const change = fc.record({ at: fc.nat({ max: pack.length - 1 }), value: fc.nat({ max: 255 }) });
  const nearTheEnd = fc.record({ at: fc.integer({ min: directoryOf(pack), max: pack.length - 1 }), value: fc.nat({ max: 255 }) });
  fc.assert(
    fc.property(fc.array(fc.oneof(change, nearTheEnd), { minLength: 1, maxLength: 4 }), fc.nat({ max: 40 }), (changes, cut) => {
      const broken = Buffer.from(pack.subarray(0, pack.length - Math.max(0, cut - 30)));
      for (const { at, value } of changes) if (at < broken.length) broken[at] = value;
      try {
        verifyPack(broken);
      } catch (error) {
        expect(error).toBeInstanceOf(JobFailure);
      }
    }),
    { numRuns: 300 },
  );
});

describe('a hostile file instead of an evidence pack', () => {
  const refused = (content: Buffer, code: string, message: string | RegExp = '') =>
    expect(() => verifyPack(content)).toThrow(expect.objectContaining({ code, message: expect.stringMatching(message) }));

  it('is refused if it is no archive, an incomplete one, or one without a manifest', () => {
    refused(Buffer.from('%PDF-1.7'), 'incomplete_file');
    refused(Buffer.alloc(0), 'incomplete_file');
    for (const length of [1, 22, 100, pack.length - 30, pack.length - 1]) refused(pack.subarray(0, length), 'incomplete_file');
    refused(packedFrom(new Map([['a', Buffer.from('b')]])), 'not_an_evidence_pack');
  });

  it.each(['../evil.pdf', '/etc/passwd', 'C:\\evil', 'statements/../../evil', 'a//b', 'folder/', '.hidden', 'x\u001b[2J', 'a'.repeat(500)])(
    'is refused for the name %j',
    (path) => {
      refused(
        changed((to) => void to.set(path, Buffer.from('x'))),
        'invalid_archive',
        /a name that is not allowed: "/,
      );
    },
  );

  it('is refused if its files are too many or too large together, before anything is unpacked', () => {
    const bomb = Buffer.from(pack);
    for (let at = directoryOf(bomb), index = 0; index < PATHS.length; index += 1) {
      bomb.writeUInt32LE(0x7fffffff, at + 24);
      at += 46 + bomb.readUInt16LE(at + 28) + bomb.readUInt16LE(at + 30) + bomb.readUInt16LE(at + 32);
    }
    refused(bomb, 'archive_too_large');
    const many = Buffer.from(pack);
    many.writeUInt16LE(0xffff, many.length - 12);
    refused(many, 'archive_too_large');
  });

  it('is not unpacked beyond the size that it states, and is refused if it is encrypted or in the 64-bit form', () => {
    const lying = Buffer.from(pack);
    lying.writeUInt32LE(10, directoryOf(lying) + 24);
    expect(messagesOf(lying)[0]).toContain('report.csv is damaged');
    const encrypted = Buffer.from(pack);
    encrypted.writeUInt16LE(1, directoryOf(encrypted) + 8);
    refused(encrypted, 'invalid_archive', 'report.csv is encrypted');
    const large = Buffer.from(pack);
    large.writeUInt32LE(0xffffffff, directoryOf(large) + 20);
    refused(large, 'invalid_archive');
  });
});
