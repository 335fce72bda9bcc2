import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

// A checkpoint in the forms of C2SP: signed-note for the text and its signatures, tlog-checkpoint for its lines.

export interface TreeHead {
  /** Names the log: the same in all its checkpoints. */
  readonly origin: string;
  readonly size: number;
  readonly root: Buffer;
}

/** Ed25519, as signed-note numbers the kinds of keys. */
const KIND = Buffer.of(1);
/** What comes before the key itself in its DER. */
const DER_HEAD = Buffer.from('302a300506032b6570032100', 'hex');

export const bytesOf = (publicKey: KeyObject): Buffer => publicKey.export({ format: 'der', type: 'spki' }).subarray(DER_HEAD.length);
export const keyOf = (bytes: Buffer): KeyObject => createPublicKey({ key: Buffer.concat([DER_HEAD, bytes]), format: 'der', type: 'spki' });

const idOf = (name: string, key: Buffer): Buffer =>
  createHash('sha256')
    .update(`${name}\n`)
    .update(Buffer.concat([KIND, key]))
    .digest()
    .subarray(0, 4);

/** What others check the signature with: `name+id+key`, as signed-note writes it. */
export const verifierKey = (name: string, key: Buffer): string =>
  `${name}+${idOf(name, key).toString('hex')}+${Buffer.concat([KIND, key]).toString('base64')}`;

const textOf = ({ origin, size, root }: TreeHead): string => `${origin}\n${size}\n${root.toString('base64')}\n`;

export function signedNote(head: TreeHead, key: { readonly secret: KeyObject; readonly publicKey: Buffer }): string {
  const text = textOf(head);
  const signature = Buffer.concat([idOf(head.origin, key.publicKey), sign(null, Buffer.from(text), key.secret)]);
  return `${text}\n— ${head.origin} ${signature.toString('base64')}\n`;
}

/** What the note says if one of the keys has signed it; undefined if none has. */
export function openNote(note: string, keys: readonly Buffer[]): TreeHead | undefined {
  const [, text, signatures] = /^([^]+?\n)\n((?:— \S+ [A-Za-z0-9+/=]+\n)+)$/.exec(note) ?? [];
  const [origin = '', size = '', root = ''] = text?.split('\n') ?? [];
  if (text === undefined || !/^[1-9]\d{0,14}$/.test(size)) return undefined;
  const isSigned = signatures!.split('\n').some((line) => {
    const [, name, encoded = ''] = line.split(' ');
    const bytes = Buffer.from(encoded, 'base64');
    return (
      name === origin &&
      keys.some((key) => idOf(origin, key).equals(bytes.subarray(0, 4)) && verify(null, Buffer.from(text), keyOf(key), bytes.subarray(4)))
    );
  });
  return isSigned ? { origin, size: Number(size), root: Buffer.from(root, 'base64') } : undefined;
}
