// Verifies the hash chain of an audit log, by the rules of docs/audit-log.md. Needs nothing but exported rows and `crypto.subtle`: it runs
// in browsers, Node, Deno and Bun, and knows no page. What it finds is what `claims audit verify` finds in the same rows.

/** The head of an empty chain. */
export const CHAIN_START = { sequence: 0, hash: '0'.repeat(64) };

/**
 * Recomputes the chain of exported rows, in the order of the export: from the start, or from the `head` that the part before returned.
 * `rows` may come one by one from a stream. The chain must contain every head that is `known` from elsewhere.
 */
export async function verifyChain(rows, after = CHAIN_START, known = []) {
  let head = after;
  for await (const row of rows) {
    const fault = (await faultOf(row, head)) ?? faultAtKnownHead(row, known);
    if (fault) return { rows: head.sequence - after.sequence, head, fault };
    head = { sequence: row.sequence, hash: row.hash };
  }
  return { rows: head.sequence - after.sequence, head, fault: null };
}

/** The fault of a log that ends before a known head; null when it contains them all. */
export function faultAtEnd(known, last) {
  const farthest = Math.max(...known.map(({ sequence }) => sequence));
  const first = last.sequence + 1;
  if (farthest < first) return null;
  const which = first === farthest ? `Row ${first} is` : `Rows ${first} to ${farthest} are`;
  return { sequence: first, id: null, kind: 'missing', message: `${which} missing: the end of the log was removed.` };
}

/** What is shown instead of a value that said who a person is, after the person was forgotten; of an address `null` is. */
const FORGOTTEN = '(forgotten)';
/** Nothing else can be forgotten. */
const PLACES = /^(?:actor\.name|ipAddress|changes\.[^.]+\.(?:from|to))$/;
const SALT = /^[0-9a-f]{32}$/;

/**
 * Lower-case hex SHA-256 of the previous hash and the row as canonical JSON (RFC 8785), without its own hash. A row with `commitments` is
 * hashed without `salts` and without the members that it is committed to. If one of these is not what was committed, ''.
 */
export async function hashOfRow({ hash: _hash, ...row }) {
  const hashed = row.commitments === undefined ? row : await withoutCommitted(row);
  return hashed ? sha256(row.previousHash + canonicalJson(hashed)) : '';
}

async function sha256(text) {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const isObject = (value) => typeof value === 'object' && value !== null;

async function withoutCommitted({ salts, ...row }) {
  if (!isObject(row.commitments)) return undefined;
  const rest = structuredClone(row);
  for (const [place, commitment] of Object.entries(row.commitments)) {
    const path = place.split('.');
    const name = path.pop();
    const owner = path.reduce((at, step) => (isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined), rest);
    if (!PLACES.test(place) || !isObject(owner) || !Object.hasOwn(owner, name)) return undefined;
    const salt = isObject(salts) && Object.hasOwn(salts, place) ? String(salts[place]) : undefined;
    const isForgotten = owner[name] === (place === 'ipAddress' ? null : FORGOTTEN);
    const isCommitted = salt !== undefined && SALT.test(salt) && (await sha256(salt + canonicalJson(owner[name]))) === commitment;
    if (salt === undefined ? !isForgotten : !isCommitted) return undefined;
    delete owner[name];
  }
  return rest;
}

function canonicalJson(value) {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  // The RFC sorts by UTF-16 code units, and so does `sort`.
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`).join(',')}}`;
}

async function faultOf(row, before) {
  const expected = before.sequence + 1;
  const at = (sequence, kind, message, id = row.id) => ({ sequence, id, kind, message });
  if (!isWellFormed(row)) {
    const message = `Row ${expected} is not a valid audit event: its id, sequence or hashes have the wrong type.`;
    return at(expected, 'altered', message, null);
  }
  const { id, sequence } = row;
  if (sequence > expected)
    return at(expected, 'missing', `Row ${expected} is missing: row ${before.sequence} is followed by row ${sequence} (${id}).`);
  if (sequence < expected)
    return at(sequence, 'out_of_order', `Row ${sequence} (${id}) is out of order: it follows row ${before.sequence}.`);
  if ((await hashOfRow(row)) !== row.hash)
    return at(expected, 'altered', `Row ${expected} (${id}) was changed: its content does not match its hash.`);
  if (row.previousHash === before.hash) return undefined;
  const message = `Row ${expected} (${id}) does not match the hash of row ${before.sequence}: one of the two was replaced.`;
  return at(expected, 'altered', message);
}

/** Rows come from a file, so their types are not certain. */
const isWellFormed = ({ id, sequence, previousHash, hash }) =>
  Number.isSafeInteger(sequence) && [id, previousHash, hash].every((text) => typeof text === 'string');

function faultAtKnownHead({ sequence, id, hash }, known) {
  if (known.every((head) => head.sequence !== sequence || head.hash === hash)) return undefined;
  const message = `Row ${sequence} (${id}) does not match the known head: this row or rows before it were replaced.`;
  return { sequence, id, kind: 'altered', message };
}

// Checkpoints and proofs, by the rules of C2SP signed-note and RFC 9162. Each answer has a `fault`, a text, or null.

const utf8 = (text) => new TextEncoder().encode(text);
const fromBase64 = (text) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
const toBase64 = (bytes) => btoa(String.fromCharCode(...bytes));
const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

async function digestOf(...parts) {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return new Uint8Array(await crypto.subtle.digest('SHA-256', all));
}

const nodeOf = (left, right) => digestOf(Uint8Array.of(1), left, right);

/** Undefined if it is not made of hashes. */
function hashesIn(text) {
  const bytes = fromBase64(text);
  if (bytes.length % 32 !== 0) return undefined;
  return Array.from({ length: bytes.length / 32 }, (_none, at) => bytes.slice(at * 32, at * 32 + 32));
}

const NOT_HASHES = { fault: 'The proof is not made of hashes of 32 bytes.' };

/** What a checkpoint says, if one of these keys (`name+id+key`) has signed it: the log `origin` has `size` events, with this `root`. */
export async function openCheckpoint(note, keys) {
  const end = note.lastIndexOf('\n\n');
  const [text, signatures] = [note.slice(0, end + 1), note.slice(end + 2)];
  const [origin, size, root] = text.split('\n');
  for (const line of signatures.split('\n')) {
    const [, signer, signature = ''] = line.split(' ');
    for (const key of keys) {
      const [, name, id, encoded = ''] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(key) ?? [];
      if (name === undefined || name !== signer || name !== origin || root === undefined || !/^\d+$/.test(size)) continue;
      if (await isSigned(text, fromBase64(signature), { name, id, key: fromBase64(encoded) }))
        return { fault: null, head: { origin, size: Number(size), root } };
    }
  }
  return { fault: 'None of these keys has signed the checkpoint.' };
}

async function isSigned(text, signature, { name, id: given, key }) {
  const id = toHex((await digestOf(utf8(`${name}\n`), key)).slice(0, 4));
  // The first byte is the kind of the key: Ed25519.
  if (key[0] !== 1 || key.length !== 33 || id !== given || toHex(signature.slice(0, 4)) !== id) return false;
  const publicKey = await crypto.subtle.importKey('raw', key.slice(1), 'Ed25519', false, ['verify']);
  return crypto.subtle.verify('Ed25519', publicKey, signature.slice(4), utf8(text));
}

/** Whether the event, as it is, is in the log that the checkpoint of its proof is about. */
export async function verifyInclusion(event, { hashes, checkpoint }, keys) {
  const { fault, head } = await openCheckpoint(checkpoint.note, keys);
  if (fault) return { fault };
  const given = hashesIn(hashes);
  if (!given) return NOT_HASHES;
  let hash = await digestOf(Uint8Array.of(0), fromHex(await hashOfRow(event)));
  let [place, last] = [BigInt(event.sequence) - 1n, BigInt(head.size) - 1n];
  let isWhole = place >= 0n && place <= last;
  for (const next of given) {
    isWhole &&= last > 0n;
    if (place % 2n === 1n || place === last) {
      hash = await nodeOf(next, hash);
      while (place % 2n === 0n && place !== 0n) [place, last] = [place >> 1n, last >> 1n];
    } else hash = await nodeOf(hash, next);
    [place, last] = [place >> 1n, last >> 1n];
  }
  if (isWhole && last === 0n && toBase64(hash) === head.root) return { fault: null, head };
  return { fault: `Event ${event.sequence} is not in the log of the checkpoint, or was changed.` };
}

/** Whether the log of the newest checkpoint begins with that of an earlier one. */
export async function verifyConsistency(earlier, { hashes, checkpoint }, keys) {
  const [old, newest] = [await openCheckpoint(earlier, keys), await openCheckpoint(checkpoint.note, keys)];
  const fault = old.fault ?? newest.fault;
  if (fault) return { fault };
  const given = hashesIn(hashes);
  if (!given) return NOT_HASHES;
  const [before, head] = [old.head, newest.head];
  if (before.origin !== head.origin) return { fault: 'The two checkpoints are about different logs.' };
  const isSame = before.size === head.size && given.length === 0 && before.root === head.root;
  if (isSame || (await isContinued(before, head, given))) return { fault: null, head };
  return { fault: `The log does not begin with the ${before.size} events of the earlier checkpoint: it was rewritten.` };
}

/** RFC 9162, 2.1.4.2. */
async function isContinued(old, head, given) {
  const isPower = Number.isInteger(Math.log2(old.size));
  const [first, ...rest] = isPower ? [fromBase64(old.root), ...given] : given;
  if (!first || old.size >= head.size) return false;
  let [place, last] = [BigInt(old.size) - 1n, BigInt(head.size) - 1n];
  while (place % 2n === 1n) [place, last] = [place >> 1n, last >> 1n];
  let [before, after] = [first, first];
  for (const next of rest) {
    if (last === 0n) return false;
    if (place % 2n === 1n || place === last) {
      [before, after] = [await nodeOf(next, before), await nodeOf(next, after)];
      while (place % 2n === 0n && place !== 0n) [place, last] = [place >> 1n, last >> 1n];
    } else after = await nodeOf(after, next);
    [place, last] = [place >> 1n, last >> 1n];
  }
  return last === 0n && toBase64(before) === old.root && toBase64(after) === head.root;
}
