import type { FastifyRequest } from 'fastify';
import { Problem, type FieldError } from '../../kernel/problems.js';
import type { Asked } from '../call/call.js';
import type { FileForm, RegisteredOperation } from '../operation/operation.js';
import { FileBytes } from './file-bytes.js';
import { MIB, readFiles, type SentFile } from './read-files.js';
import { collectInto, readHead } from './read-request.js';

/** Fields and frames of a form, beside its file. */
const FORM_BYTES = MIB;

export const isForm = ({ headers }: FastifyRequest): boolean => /^multipart\/form-data\b/i.test(headers['content-type'] ?? '');

/** A body that is the file itself. What kind of file it is, its content says. */
const FILE_TYPES =
  /^(?:application\/(?:octet-stream|pdf|xml|x-ofx|vnd\.openxmlformats-officedocument\.spreadsheetml\.sheet)|text\/(?:csv|plain|xml))\b/i;

export const isFile = ({ headers }: FastifyRequest): boolean =>
  FILE_TYPES.test(headers['content-type'] ?? '') && headers['content-encoding'] === undefined;

export const mibOf = ({ headers }: FastifyRequest, { maxBytes }: FileForm): number =>
  Math.ceil(Math.min(Number(headers['content-length'] ?? Infinity), maxBytes + FORM_BYTES) / MIB);

/** Reads what a request asks for whose body is a form with a file. An empty field is as none. */
export async function readFileForm(request: FastifyRequest, operation: RegisteredOperation, form: FileForm): Promise<Asked> {
  const head = readHead(request, operation);
  const bounds = { files: 1, fileBytes: form.maxBytes, formBytes: form.maxBytes + FORM_BYTES };
  const { fields, files } = await readFiles(request, bounds, () => true);
  const repeated = [...new Set(fields.keys())].filter((name) => fields.getAll(name).length > 1);
  const errors = [...repeated.map((name) => wrong(name, 'repeated', 'must be given once')), ...fileErrors(files)];
  if (errors.length > 0) throw Problem.validation(errors);
  const [file] = files;
  if (file!.isTooLarge) throw fileTooLarge(form.maxBytes);
  return { ...head, body: Object.fromEntries([...fields].filter(([, value]) => value !== '')), file };
}

/** Reads what a request asks for whose body is the file. What a form would say beside it is in the query. */
export async function readFileBody(request: FastifyRequest, operation: RegisteredOperation, { maxBytes }: FileForm): Promise<Asked> {
  const head = readHead(request, operation);
  const { headers, raw } = request;
  const length = Number(headers['content-length'] ?? 0);
  if (length > maxBytes) throw fileTooLarge(maxBytes);
  const bytes = new FileBytes(length);
  await collectInto(raw, (chunk) => {
    if (bytes.size + chunk.length > maxBytes) return fileTooLarge(maxBytes);
    bytes.add(chunk);
    return undefined;
  });
  if (bytes.size === 0) throw Problem.validation([wrong(FILE, 'required', 'must not be empty')]);
  const [, name = 'statement'] = /filename="?([^";]+)/i.exec(headers['content-disposition'] ?? '') ?? [];
  const file = { field: FILE, name, ...bytes.taken(), isTooLarge: false, isBody: true };
  return { ...head, body: head.query, file };
}

function fileErrors([file]: readonly SentFile[]): FieldError[] {
  if (!file) return [wrong(FILE, 'required', 'is required')];
  if (file.field !== FILE) return [wrong(file.field, 'unknown_property', `is not a known file: did you mean ${FILE}?`)];
  return file.content.length === 0 && !file.isTooLarge ? [wrong(FILE, 'required', 'must not be empty')] : [];
}

const FILE = 'file';
const fileTooLarge = (maxBytes: number): Problem =>
  new Problem('body_too_large', { detail: `The file may have at most ${maxBytes / MIB} MiB.` });
const MAX_SHOWN = 100;
const wrong = (field: string, code: FieldError['code'], message: string): FieldError => ({
  location: 'body',
  field: field.slice(0, MAX_SHOWN).toWellFormed(),
  code,
  message,
});
