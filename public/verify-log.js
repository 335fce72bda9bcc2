// The button "Verify in this browser": reads the log page by page, recomputes its chain here, and says what it found.

/** `form` asks for the rows after a position; `verifier` is the address of verify-chain.js. */
export async function start(form) {
  // Browsers have it on pages that came over https, and on those of the machine itself.
  if (!globalThis.crypto?.subtle) return;
  const verifier = await import(form.dataset.verifier);
  const [said, button] = [form.querySelector('output'), form.querySelector('button')];
  form.hidden = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    say(said, '', 'Reading the log…');
    try {
      const [kind, text] = await verify(form, verifier, (count) => say(said, '', `${count.toLocaleString('en')} events are valid so far…`));
      say(said, kind, text);
    } catch (error) {
      say(said, 'warning', `The log could not be read: ${error.message} Nothing is known about the rest of it.`);
    }
    button.disabled = false;
  });
}

function say(output, kind, text) {
  output.className = kind;
  output.textContent = text;
}

async function verify(form, { CHAIN_START, verifyChain, faultAtEnd }, progress) {
  const known = headsIn(document.getElementById('head').value);
  if (!known) return ['error', 'The head must be a number, a colon and 64 hex digits.'];
  let [head, position] = [CHAIN_START, ''];
  for (;;) {
    const read = { last: undefined };
    const verdict = await verifyChain(rowsOf(await ask(form, position), read), head, known);
    head = verdict.head;
    const valid = head.sequence.toLocaleString('en');
    if (verdict.fault) return ['error', `${verdict.fault.message} The ${valid} events before it are valid.`];
    if (!read.last) break;
    position = `${read.last.createdAt}_${read.last.id}`;
    progress(head.sequence);
  }
  const end = known.length > 0 ? faultAtEnd(known, head) : null;
  if (end) return ['error', `${end.message} The ${head.sequence.toLocaleString('en')} events before it are valid.`];
  return [
    'notice',
    `Verified in this browser: ${head.sequence.toLocaleString('en')} events are valid. Head: ${head.sequence}:${head.hash}`,
  ];
}

function headsIn(text) {
  const [, sequence, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text.trim()) ?? [];
  return hash ? [{ sequence: Number(sequence), hash }] : text.trim() === '' ? [] : undefined;
}

/** The rows after a position, as the service sends them. */
async function ask(form, after) {
  const body = new URLSearchParams(new FormData(form));
  body.set('after', after);
  const answer = await fetch(form.action, { method: 'POST', body, redirect: 'error' });
  if (!answer.ok || !answer.headers.get('content-type').startsWith('application/jsonl'))
    throw new Error(`the service answered ${answer.status}.`);
  return answer.body;
}

/** The rows of a body, one by one while it arrives. */
async function* rowsOf(body, read) {
  let rest = '';
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      const lines = (rest + value).split('\n');
      rest = lines.pop();
      for (const line of lines) yield (read.last = JSON.parse(line));
    }
  } finally {
    // What follows a fault is not read.
    await reader.cancel();
  }
  if (rest !== '') throw new Error('it ended too early.');
}
