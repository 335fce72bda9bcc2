import type { KeyObject, X509Certificate } from 'node:crypto';
import { cmsSignature } from './certificates.js';

export interface PdfSigner {
  /** That of the key, and those that lead from it to an authority. */
  readonly certificates: readonly X509Certificate[];
  readonly privateKey: KeyObject;
}

/** Room for what certificates need, besides themselves. */
const SIGNATURE_BYTES = 2_048;
/** Ten digits are enough for every file. */
const PLACE = '0000000000';

/**
 * A PDF with a signature after PAdES B-B, which nothing is to be seen of on its pages. What was there stays as it is: the signature is
 * appended, as the format has it. `pdf` is a file of ours, whose objects are plain text.
 */
export function signPdf(
  pdf: Buffer,
  { certificates, privateKey }: PdfSigner,
  { at, name }: { readonly at: Date; readonly name: string },
): Buffer {
  const file = new AppendedPdf(pdf);
  const room = 2 * (SIGNATURE_BYTES + certificates.reduce((sum, { raw }) => sum + raw.length, 0));
  const [signature, field] = [file.size, file.size + 1];
  const page = /\/Kids \[(\d+) 0 R/.exec(file.object(file.reference('Pages', file.root)))![1]!;
  const time = `D:${at.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`;
  file.replace(
    signature,
    `<<\n/Type /Sig\n/Filter /Adobe.PPKLite\n/SubFilter /ETSI.CAdES.detached\n/M (${time})\n/Name <${hexText(name)}>
/ByteRange [0 ${PLACE} ${PLACE} ${PLACE}]\n/Contents <${'0'.repeat(room)}>\n>>`,
  );
  file.replace(
    field,
    `<<\n/Type /Annot\n/Subtype /Widget\n/FT /Sig\n/T (Signature)\n/F 132\n/Rect [0 0 0 0]\n/P ${page} 0 R\n/V ${signature} 0 R\n>>`,
  );
  file.extend(page, `/Annots [${field} 0 R]`);
  file.extend(file.root, `/AcroForm <<\n/Fields [${field} 0 R]\n/SigFlags 3\n>>`);
  const signed = file.end();
  const from = signed.lastIndexOf('/Contents <') + '/Contents '.length;
  const to = from + room + 2;
  const range = [from, to, signed.length - to].map((value) => String(value).padStart(PLACE.length, '0'));
  signed.write(`[0 ${range.join(' ')}]`, signed.lastIndexOf(`[0 ${PLACE}`), 'latin1');
  const cms = cmsSignature(Buffer.concat([signed.subarray(0, from), signed.subarray(to)]), certificates, privateKey);
  signed.write(cms.toString('hex'), from + 1, 'latin1');
  return signed;
}

/** UTF-16, as texts in a PDF are written. */
const hexText = (text: string): string => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16().toString('hex');

/** What is appended to a PDF: objects that are new, or stand in for earlier ones, and where they are. */
class AppendedPdf {
  readonly root: string;
  readonly size: number;
  private readonly trailer: string;
  private readonly previous: number;
  private readonly added = new Map<number, string>();

  constructor(private readonly pdf: Buffer) {
    const end = pdf.toString('latin1', pdf.lastIndexOf('trailer'));
    this.trailer = /^trailer\s+<<([^]*)>>\s+startxref/.exec(end)![1]!.trim();
    this.previous = Number(/startxref\s+(\d+)/.exec(end)![1]);
    this.size = Number(/\/Size (\d+)/.exec(this.trailer)![1]);
    this.root = this.reference('Root', undefined);
  }

  reference(key: string, of: string | undefined): string {
    return new RegExp(`/${key} (\\d+) 0 R`).exec(of === undefined ? this.trailer : this.object(of))![1]!;
  }

  object(id: string): string {
    const start = this.pdf.lastIndexOf(`\n${id} 0 obj\n`);
    return this.pdf.toString('latin1', start + `\n${id} 0 obj\n`.length, this.pdf.indexOf('\nendobj', start));
  }

  replace(id: number, content: string): void {
    this.added.set(id, content);
  }

  /** Adds an entry to a dictionary. */
  extend(id: string, entry: string): void {
    this.replace(Number(id), `${this.object(id).replace(/\s*>>$/, '')}\n${entry}\n>>`);
  }

  end(): Buffer {
    const parts = [this.pdf, Buffer.from('\n')];
    let [at, table] = [this.pdf.length + 1, ''];
    for (const [id, content] of this.added) {
      const part = Buffer.from(`${id} 0 obj\n${content}\nendobj\n`, 'latin1');
      table += `${id} 1\n${String(at).padStart(10, '0')} 00000 n \n`;
      parts.push(part);
      at += part.length;
    }
    const trailer = this.trailer.replace(/\/Size \d+/, `/Size ${this.size + 2}`);
    parts.push(Buffer.from(`xref\n${table}trailer\n<<\n${trailer}\n/Prev ${this.previous}\n>>\nstartxref\n${at}\n%%EOF\n`, 'latin1'));
    return Buffer.concat(parts);
  }
}
