import type { FastifyRequest } from 'fastify';
import { Problem, type FieldError } from '../../kernel/problems.js';
import type { Asked } from '../call/call.js';
import type { FileForm, RegisteredOperation } from '../operation/operation.js';
import { MIB, readFiles, type SentFile } from './read-files.js';
import { readHead } from './read-request.js';

/** Fields and frames of a form, beside its file. */
const FORM_BYTES = MIB;

export const isForm = ({ headers }: FastifyRequest): boolean => /^multipart\/form-data\b/i.test(headers['content-type'] ?? '');

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
  if (file!.isTooLarge) throw new Problem('body_too_large', { detail: `The file may have at most ${form.maxBytes / MIB} MiB.` });
  return { ...head, body: Object.fromEntries([...fields].filter(([, value]) => value !== '')), file };
}

function fileErrors([file]: readonly SentFile[]): FieldError[] {
  if (!file) return [wrong(FILE, 'required', 'is required')];
  if (file.field !== FILE) return [wrong(file.field, 'unknown_property', `is not a known file: did you mean ${FILE}?`)];
  return file.content.length === 0 && !file.isTooLarge ? [wrong(FILE, 'required', 'must not be empty')] : [];
}

const FILE = 'file';
const MAX_SHOWN = 100;
const wrong = (field: string, code: FieldError['code'], message: string): FieldError => ({
  location: 'body',
  field: field.slice(0, MAX_SHOWN).toWellFormed(),
  code,
  message,
});
