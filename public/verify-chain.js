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

/** Lower-case hex SHA-256 of the previous hash and the row, without its own hash, as canonical JSON (RFC 8785). */
export async function hashOfRow({ hash: _hash, ...row }) {
  const bytes = new TextEncoder().encode(row.previousHash + canonicalJson(row));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
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
